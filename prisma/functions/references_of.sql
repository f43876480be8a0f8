-- Returns the names and keys of the rows that a row refers to, as they are now: the kind of an asset, the location that it
-- belongs to, the parent of a location. `version` has the columns that refer to them.
CREATE OR REPLACE FUNCTION references_of(noun text, org_id int, version json)
  RETURNS TABLE (label text, name text, external_key text) LANGUAGE sql STABLE AS $$
  SELECT 'kind', k.name, NULL
    FROM asset_kinds k
   WHERE $1 = 'asset' AND k.org_id = $2 AND k.id = ($3 ->> 'kind_id')::int
  UNION ALL
  SELECT 'belongs_to', l.name, l.external_key
    FROM locations l
   WHERE $1 = 'asset' AND l.org_id = $2 AND l.id = ($3 ->> 'belongs_to_id')::int
  UNION ALL
  SELECT 'parent', l.name, l.external_key
    FROM locations l
   WHERE $1 = 'location' AND l.org_id = $2 AND l.id = ($3 ->> 'parent_id')::int
$$;
