-- name: start
SELECT pg_advisory_xact_lock_shared($1::int, $2::int)::text;

-- name: isCalibrating
SELECT locating
FROM asset_positions
WHERE org_id = $1
AND asset_id = $2;
