-- Returns metadata with the members of `given` set, and without those whose key is in `removed`. The order of the other
-- members and their text stay. A removed key that is also given is set.
CREATE OR REPLACE FUNCTION changed_metadata(metadata json, given json, removed text[]) RETURNS json LANGUAGE sql IMMUTABLE
  PARALLEL SAFE AS $$
  SELECT coalesce(('{' || string_agg(to_json(member.key) || ':' || member.value::text, ',' ORDER BY member.place) || '}')::json, '{}')
    FROM (
      SELECT m.key, coalesce(g.value, m.value) AS value, m.place
        FROM json_each($1) WITH ORDINALITY AS m (key, value, place)
        LEFT JOIN json_each($2) AS g ON g.key = m.key
       WHERE g.key IS NOT NULL OR NOT m.key = ANY($3)
      UNION ALL
      SELECT g.key, g.value, 1000000000 + g.place
        FROM json_each($2) WITH ORDINALITY AS g (key, value, place)
       WHERE NOT EXISTS (SELECT FROM json_each($1) AS m WHERE m.key = g.key)
    ) member
$$;
