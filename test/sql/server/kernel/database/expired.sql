-- name: flagBatch
SELECT id
FROM assets
WHERE valid_to IS NOT NULL
AND NOT is_expired
AND valid_to <= statement_timestamp()
ORDER BY org_id, id
LIMIT $1
FOR UPDATE SKIP LOCKED;

-- name: flagBatch
SELECT id
FROM locations
WHERE valid_to IS NOT NULL
AND NOT is_expired
AND valid_to <= statement_timestamp()
ORDER BY org_id, id
LIMIT $1
FOR UPDATE SKIP LOCKED;

-- name: flagBatch
UPDATE assets
SET is_expired = true
WHERE id = ANY($1::int[]);

-- name: flagBatch
-- further: 3aa77abcb5
