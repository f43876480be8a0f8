-- Returns the names and keys of the rows that a row refers to, as they are now: the kind of an asset, the parent of a
-- location. `version` is a version of the row as JSON.
CREATE OR REPLACE FUNCTION references_of(noun text, version json)
  RETURNS TABLE (label text, name text, external_key text) LANGUAGE sql STABLE AS $$
  SELECT 'kind', k.name, NULL
    FROM asset_kinds k
   WHERE $1 = 'asset' AND k.org_id = ($2 ->> 'org_id')::int AND k.id = ($2 ->> 'kind_id')::int
  UNION ALL
  SELECT 'parent', l.name, l.external_key
    FROM locations l
   WHERE $1 = 'location' AND l.org_id = ($2 ->> 'org_id')::int AND l.id = ($2 ->> 'parent_id')::int
$$;
