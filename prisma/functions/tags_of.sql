-- Returns the tags of an asset or a location. `noun` is `asset` or `location`.
CREATE OR REPLACE FUNCTION tags_of(noun text, org_id int, id int) RETURNS SETOF tags LANGUAGE sql STABLE AS $$
  SELECT t.* FROM tags t WHERE $1 = 'asset' AND t.org_id = $2 AND t.asset_id = $3
  UNION ALL
  SELECT t.* FROM tags t WHERE $1 = 'location' AND t.org_id = $2 AND t.location_id = $3
$$;
