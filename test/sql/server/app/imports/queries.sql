-- name: findImport
SELECT i.id::text, i.kind, i.status, i.file_name, i.columns, i.ignored_columns, i.row_count, i.received_rows, i.next_chunk,
  i.done_rows, i.to_create, i.to_change, i.unchanged, i.problem_count, i.problem_lines, i.warning_count, i.notice_count, i.failure,
  (i.status IN ('checking', 'applying') AND i.lease_until < clock_timestamp()) AS is_abandoned, round(date_part('epoch',
  i.created_at) * 1000) AS created_at, round(date_part('epoch', i.finished_at) * 1000) AS finished_at, (
  SELECT round(date_part('epoch', b.undone_at) * 1000)
  FROM change_batches b
  WHERE b.org_id = i.org_id
  AND b.id = i.id
) AS undone_at, EXISTS (
  SELECT
  FROM change_batches b
  WHERE b.org_id = i.org_id
  AND b.id = i.id
  AND (b.undone_at IS NULL AND b.created_at > clock_timestamp() - interval '30 days')
) AS is_undoable
FROM imports i
WHERE i.org_id = $1
AND i.id = $2::uuid;

-- name: lockImport
SELECT i.id::text, i.kind, i.status, i.file_name, i.columns, i.ignored_columns, i.row_count, i.received_rows, i.next_chunk,
  i.done_rows, i.to_create, i.to_change, i.unchanged, i.problem_count, i.problem_lines, i.warning_count, i.notice_count, i.failure,
  (i.status IN ('checking', 'applying') AND i.lease_until < clock_timestamp()) AS is_abandoned, round(date_part('epoch',
  i.created_at) * 1000) AS created_at, round(date_part('epoch', i.finished_at) * 1000) AS finished_at, (
  SELECT round(date_part('epoch', b.undone_at) * 1000)
  FROM change_batches b
  WHERE b.org_id = i.org_id
  AND b.id = i.id
) AS undone_at, EXISTS (
  SELECT
  FROM change_batches b
  WHERE b.org_id = i.org_id
  AND b.id = i.id
  AND (b.undone_at IS NULL AND b.created_at > clock_timestamp() - interval '30 days')
) AS is_undoable, i.last_line, i.received_bytes
FROM imports i
WHERE i.org_id = $1
AND i.id = $2::uuid
FOR NO KEY UPDATE;

-- name: findImports
SELECT i.id::text, i.kind, i.status, i.file_name, i.columns, i.ignored_columns, i.row_count, i.received_rows, i.next_chunk,
  i.done_rows, i.to_create, i.to_change, i.unchanged, i.problem_count, i.problem_lines, i.warning_count, i.notice_count, i.failure,
  (i.status IN ('checking', 'applying') AND i.lease_until < clock_timestamp()) AS is_abandoned, round(date_part('epoch',
  i.created_at) * 1000) AS created_at, round(date_part('epoch', i.finished_at) * 1000) AS finished_at, (
  SELECT round(date_part('epoch', b.undone_at) * 1000)
  FROM change_batches b
  WHERE b.org_id = i.org_id
  AND b.id = i.id
) AS undone_at, EXISTS (
  SELECT
  FROM change_batches b
  WHERE b.org_id = i.org_id
  AND b.id = i.id
  AND (b.undone_at IS NULL AND b.created_at > clock_timestamp() - interval '30 days')
) AS is_undoable, (SELECT count(*)::float8 FROM imports WHERE org_id = $1) AS total_count
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
-- further: 63637ab3b0

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
  i.created_at) * 1000) AS created_at, round(date_part('epoch', i.finished_at) * 1000) AS finished_at, (
  SELECT round(date_part('epoch', b.undone_at) * 1000)
  FROM change_batches b
  WHERE b.org_id = i.org_id
  AND b.id = i.id
) AS undone_at, EXISTS (
  SELECT
  FROM change_batches b
  WHERE b.org_id = i.org_id
  AND b.id = i.id
  AND (b.undone_at IS NULL AND b.created_at > clock_timestamp() - interval '30 days')
) AS is_undoable;

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
  i.created_at) * 1000) AS created_at, round(date_part('epoch', i.finished_at) * 1000) AS finished_at, (
  SELECT round(date_part('epoch', b.undone_at) * 1000)
  FROM change_batches b
  WHERE b.org_id = i.org_id
  AND b.id = i.id
) AS undone_at, EXISTS (
  SELECT
  FROM change_batches b
  WHERE b.org_id = i.org_id
  AND b.id = i.id
  AND (b.undone_at IS NULL AND b.created_at > clock_timestamp() - interval '30 days')
) AS is_undoable;

-- name: renewLease
UPDATE imports
SET lease_until = clock_timestamp() + interval '15 seconds', done_rows = $1
WHERE org_id = $2
AND id = $3::uuid
AND lease_token = $4::uuid;

-- name: endLease
UPDATE imports
SET status = $1, failure = $2, lease_token = NULL, lease_until = NULL, finished_at = CASE
  WHEN $3 = 'applied' THEN clock_timestamp() END
WHERE org_id = $4
AND id = $5::uuid
AND lease_token = $6::uuid;

-- name: endLease
UPDATE imports
SET status = $1, failure = $2, lease_token = NULL, lease_until = NULL, finished_at = CASE
  WHEN $3 = 'applied' THEN clock_timestamp() END, to_create = $4, to_change = $5, unchanged = $6, problem_count = $7,
  problem_lines = $8, warning_count = $9, notice_count = $10
WHERE org_id = $11
AND id = $12::uuid
AND lease_token = $13::uuid;

-- name: cancelRow
UPDATE imports i
SET status = 'cancelled', finished_at = clock_timestamp(), lease_token = NULL, lease_until = NULL
WHERE i.org_id = $1
AND i.id = $2::uuid
AND i.status NOT IN ('applied', 'cancelled')
RETURNING i.id::text, i.kind, i.status, i.file_name, i.columns, i.ignored_columns, i.row_count, i.received_rows, i.next_chunk,
  i.done_rows, i.to_create, i.to_change, i.unchanged, i.problem_count, i.problem_lines, i.warning_count, i.notice_count, i.failure,
  (i.status IN ('checking', 'applying') AND i.lease_until < clock_timestamp()) AS is_abandoned, round(date_part('epoch',
  i.created_at) * 1000) AS created_at, round(date_part('epoch', i.finished_at) * 1000) AS finished_at, (
  SELECT round(date_part('epoch', b.undone_at) * 1000)
  FROM change_batches b
  WHERE b.org_id = i.org_id
  AND b.id = i.id
) AS undone_at, EXISTS (
  SELECT
  FROM change_batches b
  WHERE b.org_id = i.org_id
  AND b.id = i.id
  AND (b.undone_at IS NULL AND b.created_at > clock_timestamp() - interval '30 days')
) AS is_undoable;

-- name: findProblems
SELECT p.place, p.line, p.column_name AS column, p.message, p.reason, p.is_warning, p.is_notice,
  left(r.cells[array_position(i.columns, 'name')], $1::int) AS name, left(r.cells[array_position(i.columns, p.column_name)],
  $2::int) AS value, count(*) OVER ()::float8 AS total_count
FROM import_problems p
JOIN imports i ON i.org_id = p.org_id
AND i.id = p.import_id
LEFT JOIN import_rows r ON r.import_id = p.import_id
AND r.line = p.line
WHERE p.org_id = $3
AND p.import_id = $4::uuid
AND p.column_name = $5
ORDER BY p.place
LIMIT $6
OFFSET $7;

-- name: findProblems
SELECT p.place, p.line, p.column_name AS column, p.message, p.reason, p.is_warning, p.is_notice,
  left(r.cells[array_position(i.columns, 'name')], $1::int) AS name, left(r.cells[array_position(i.columns, p.column_name)],
  $2::int) AS value, count(*) OVER ()::float8 AS total_count
FROM import_problems p
JOIN imports i ON i.org_id = p.org_id
AND i.id = p.import_id
LEFT JOIN import_rows r ON r.import_id = p.import_id
AND r.line = p.line
WHERE p.org_id = $3
AND p.import_id = $4::uuid
ORDER BY p.place
LIMIT $5
OFFSET $6;

-- name: removeOldImports
DELETE FROM imports
WHERE created_at < clock_timestamp() - make_interval(days => CASE WHEN status = 'applied' THEN $1::int + $2::int ELSE $3::int END)
AND (lease_until IS NULL OR lease_until < clock_timestamp());
