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
-- further: 1edb2933aa 3aa77abcb5
