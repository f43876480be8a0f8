-- name: checkFile
UPDATE import_rows r
SET target_id = s.id, target_updated_at = s.updated_at, is_change = s.is_change
FROM (
  SELECT line, id, updated_at, is_valid
  AND id IS NOT NULL
  AND (row_changes OR tags_change) AS is_change
  FROM staged
) s
WHERE r.org_id = $1
AND r.import_id = $2::uuid
AND r.line = s.line
AND (r.target_id, r.target_updated_at, r.is_change) IS DISTINCT FROM (s.id, s.updated_at, s.is_change);

-- name: applyOnce
SELECT (SELECT set_config('whereabouts.author', $1, true)) IS NOT NULL;

-- name: analyze
ANALYZE assets, tags;

-- name: analyze
SELECT gin_clean_pending_list(name::regclass)
FROM unnest(ARRAY[$1, 'tags_search']) AS index (name);

-- name: changedSinceCheck
SELECT s.line, s.external_key AS key, CASE WHEN r.target_id IS NULL THEN 'created'
  WHEN s.id IS DISTINCT FROM r.target_id THEN 'deleted' ELSE 'changed' END AS what
FROM staged s
JOIN import_rows r ON r.org_id = $1
AND r.import_id = $2::uuid
AND r.line = s.line
WHERE (s.id, s.updated_at) IS DISTINCT FROM (r.target_id, r.target_updated_at)
ORDER BY s.line;

-- name: endWithProblems
DELETE FROM import_problems
WHERE org_id = $1
AND import_id = $2::uuid;

-- name: endWithProblems
INSERT INTO import_problems (org_id, import_id, place, line, column_name, message, reason, is_warning, is_notice)
SELECT $1, $2::uuid, given.place, given.line, given.column_name, given.message, given.reason, given.is_warning, given.is_notice
FROM json_to_recordset($3::json) AS given (place int, line int, column_name text, message text, reason json, is_warning boolean,
  is_notice boolean);
