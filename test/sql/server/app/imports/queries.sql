-- name: findImport
SELECT i.id::text, i.kind, i.status, i.file_name, i.columns, i.ignored_columns, i.row_count, i.received_rows, i.next_chunk,
  i.done_rows, i.to_create, i.to_change, i.unchanged, i.problem_count, i.problem_lines, i.warning_count, i.notice_count, i.failure,
  (i.status IN ('checking', 'applying') AND i.lease_until < clock_timestamp()) AS is_abandoned, round(date_part('epoch',
  i.created_at) * 1000) AS created_at, round(date_part('epoch', i.finished_at) * 1000) AS finished_at, round(date_part('epoch',
  i.undone_at) * 1000) AS undone_at
FROM imports i
WHERE i.org_id = $1
AND i.id = $2::uuid;

-- name: lockImport
SELECT i.id::text, i.kind, i.status, i.file_name, i.columns, i.ignored_columns, i.row_count, i.received_rows, i.next_chunk,
  i.done_rows, i.to_create, i.to_change, i.unchanged, i.problem_count, i.problem_lines, i.warning_count, i.notice_count, i.failure,
  (i.status IN ('checking', 'applying') AND i.lease_until < clock_timestamp()) AS is_abandoned, round(date_part('epoch',
  i.created_at) * 1000) AS created_at, round(date_part('epoch', i.finished_at) * 1000) AS finished_at, round(date_part('epoch',
  i.undone_at) * 1000) AS undone_at, i.last_line, i.received_bytes
FROM imports i
WHERE i.org_id = $1
AND i.id = $2::uuid
FOR NO KEY UPDATE;

-- name: findImports
SELECT i.id::text, i.kind, i.status, i.file_name, i.columns, i.ignored_columns, i.row_count, i.received_rows, i.next_chunk,
  i.done_rows, i.to_create, i.to_change, i.unchanged, i.problem_count, i.problem_lines, i.warning_count, i.notice_count, i.failure,
  (i.status IN ('checking', 'applying') AND i.lease_until < clock_timestamp()) AS is_abandoned, round(date_part('epoch',
  i.created_at) * 1000) AS created_at, round(date_part('epoch', i.finished_at) * 1000) AS finished_at, round(date_part('epoch',
  i.undone_at) * 1000) AS undone_at, (SELECT count(*)::float8 FROM imports WHERE org_id = $1) AS total_count
FROM imports i
WHERE i.org_id = $2
ORDER BY i.created_at DESC, i.id
LIMIT $3
OFFSET $4;

-- name: ensureBelowDailyQuota
SELECT ceil(date_part('epoch', i.created_at + interval '1 day' - clock_timestamp()))::float8 AS seconds
FROM imports i
WHERE i.org_id = $1
AND i.created_at > clock_timestamp() - interval '1 day'
ORDER BY i.created_at DESC
OFFSET $2
LIMIT 1;

-- name: insertImport
SELECT pg_advisory_xact_lock($1::int, $2::int)::text;

-- name: insertImport
UPDATE imports
SET status = 'cancelled', finished_at = clock_timestamp()
WHERE org_id = $1
AND id IN (
  SELECT id
  FROM imports
  WHERE org_id = $2
  AND status IN ('uploading', 'received', 'checked')
  ORDER BY created_at DESC
  OFFSET $3
)
RETURNING id::text;

-- name: insertImport
-- further: b9a49eb7b8

-- name: removeContents
DELETE FROM import_rows
WHERE org_id = $1
AND import_id = $2::uuid;

-- name: removeContents
DELETE FROM import_problems
WHERE org_id = $1
AND import_id = $2::uuid;

-- name: insertRows
INSERT INTO import_rows (org_id, import_id, line, cells)
SELECT $1, $2::uuid, given.line, ARRAY(SELECT json_array_elements_text(given.cells))
FROM json_to_recordset($3::json) AS given (line int, cells json);

-- name: insertRows
UPDATE imports i
SET received_rows = received_rows + $1, received_bytes = received_bytes + $2, next_chunk = next_chunk + 1, last_line = $3,
  status = CASE WHEN received_rows + $4 = row_count THEN 'received' ELSE status END
WHERE i.org_id = $5
AND i.id = $6::uuid
RETURNING i.id::text, i.kind, i.status, i.file_name, i.columns, i.ignored_columns, i.row_count, i.received_rows, i.next_chunk,
  i.done_rows, i.to_create, i.to_change, i.unchanged, i.problem_count, i.problem_lines, i.warning_count, i.notice_count, i.failure,
  (i.status IN ('checking', 'applying') AND i.lease_until < clock_timestamp()) AS is_abandoned, round(date_part('epoch',
  i.created_at) * 1000) AS created_at, round(date_part('epoch', i.finished_at) * 1000) AS finished_at, round(date_part('epoch',
  i.undone_at) * 1000) AS undone_at;

-- name: isOtherUnderWay
SELECT 1
FROM imports
WHERE org_id = $1
AND id <> $2::uuid
AND status IN ('checking', 'applying')
AND lease_until >= clock_timestamp()
LIMIT 1;

-- name: takeLease
UPDATE imports i
SET status = $1, done_rows = 0, failure = NULL, lease_token = $2::uuid, lease_until = clock_timestamp() + interval '15 seconds'
WHERE i.org_id = $3
AND i.id = $4::uuid
RETURNING i.id::text, i.kind, i.status, i.file_name, i.columns, i.ignored_columns, i.row_count, i.received_rows, i.next_chunk,
  i.done_rows, i.to_create, i.to_change, i.unchanged, i.problem_count, i.problem_lines, i.warning_count, i.notice_count, i.failure,
  (i.status IN ('checking', 'applying') AND i.lease_until < clock_timestamp()) AS is_abandoned, round(date_part('epoch',
  i.created_at) * 1000) AS created_at, round(date_part('epoch', i.finished_at) * 1000) AS finished_at, round(date_part('epoch',
  i.undone_at) * 1000) AS undone_at;

-- name: renewLease
UPDATE imports
SET lease_until = clock_timestamp() + interval '15 seconds', done_rows = $1
WHERE org_id = $2
AND id = $3::uuid
AND lease_token = $4::uuid;

-- name: endLease
UPDATE imports
SET status = $1, failure = $2, lease_token = NULL, lease_until = NULL, finished_at = CASE 
  HEN $3 = 'applied' THEN clock_timestamp() END
WHERE org_id = $4
AND id = $5::uuid
AND lease_token = $6::uuid;

-- name: endLease
UPDATE imports
SET status = $1, failure = $2, lease_token = NULL, lease_until = NULL, finished_at = CASE 
  HEN $3 = 'applied' THEN clock_timestamp() END, to_create = $4, to_change = $5, unchanged = $6, problem_count = $7,
  problem_lines = $8, warning_count = $9
WHERE org_id = $10
AND id = $11::uuid
AND lease_token = $12::uuid;

-- name: endLease
-- further: 7bdbbaab8f

-- name: cancelRow
UPDATE imports i
SET status = 'cancelled', finished_at = clock_timestamp(), lease_token = NULL, lease_until = NULL
WHERE i.org_id = $1
AND i.id = $2::uuid
AND i.status NOT IN ('applied', 'cancelled')
RETURNING i.id::text, i.kind, i.status, i.file_name, i.columns, i.ignored_columns, i.row_count, i.received_rows, i.next_chunk,
  i.done_rows, i.to_create, i.to_change, i.unchanged, i.problem_count, i.problem_lines, i.warning_count, i.notice_count, i.failure,
  (i.status IN ('checking', 'applying') AND i.lease_until < clock_timestamp()) AS is_abandoned, round(date_part('epoch',
  i.created_at) * 1000) AS created_at, round(date_part('epoch', i.finished_at) * 1000) AS finished_at, round(date_part('epoch',
  i.undone_at) * 1000) AS undone_at;

-- name: findProblems
SELECT p.place, p.line, p.column_name AS column, p.message, p.reason, p.is_warning, count(*) OVER ()::float8 AS total_count
FROM import_problems p
WHERE p.org_id = $1
AND p.import_id = $2::uuid
AND p.column_name = $3
ORDER BY p.place
LIMIT $4
OFFSET $5;

-- name: findProblems
SELECT p.place, p.line, p.column_name AS column, p.message, p.reason, p.is_warning, count(*) OVER ()::float8 AS total_count
FROM import_problems p
WHERE p.org_id = $1
AND p.import_id = $2::uuid
ORDER BY p.place
LIMIT $3
OFFSET $4;

-- name: findProblems
-- further: 0e218b6c82 6010c81975 fbb2e98c72

-- name: removeOldImports
DELETE FROM imports
WHERE created_at < clock_timestamp() - make_interval(days => CASE WHEN status = 'applied' THEN $1::int + $2::int ELSE $3::int END)
AND (lease_until IS NULL OR lease_until < clock_timestamp());
