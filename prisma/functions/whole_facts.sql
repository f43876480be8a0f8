-- Returns what an entry of the activity log holds of an asset or a location that was created or deleted: its columns, the
-- names of the rows that it refers to, and at most 20 tags. Long texts are cut at 2,000 characters, since many rows can be
-- deleted and restored again and again.
CREATE OR REPLACE FUNCTION whole_facts(noun text, version json) RETURNS TABLE (facts json) LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
           'row', CASE WHEN octet_length($2::text) <= 4000 THEN $2 ELSE (
             SELECT json_object_agg(c.key, CASE WHEN octet_length(c.value::text) > 2000 THEN to_json(left(c.value #>> '{}', 2000)) ELSE c.value END)
               FROM json_each($2) c) END,
           'names', (SELECT n.names FROM names_of($1, ($2 ->> 'org_id')::int, $2) n),
           'tags', (SELECT to_json((array_agg(g.tag_type || ':' || g.value ORDER BY g.id + 0))[1:20])
                      FROM tags_of($1, ($2 ->> 'org_id')::int, ($2 ->> 'id')::int) g))
$$;
