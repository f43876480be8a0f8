-- name: proveAddress
SELECT email_proven_at IS NOT NULL AS is_proven
FROM users
WHERE id = $1::int
FOR NO KEY UPDATE;

-- name: proveAddress
UPDATE users
SET email_proven_at = date_trunc('milliseconds', clock_timestamp()), password_hash = CASE WHEN $1 THEN password_hash END
WHERE id = $2::int;

-- name: removeMeans
DELETE FROM sign_on_identities
WHERE user_id = $1::int;

-- name: removeMeans
DELETE FROM sessions
WHERE user_id = $1::int;

-- name: removeMeans
-- further: 480ab67e1b 5693c11521 a43e6728ae
