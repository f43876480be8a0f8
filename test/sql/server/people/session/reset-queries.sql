-- name: storeReset
INSERT INTO password_resets (user_id, token_hash, expires_at)
VALUES ($1::int, $2, date_trunc('milliseconds',
  clock_timestamp()) + make_interval(mins => $3::int)) ON CONFLICT (user_id) DO UPDATE
SET token_hash = EXCLUDED.token_hash, expires_at = EXCLUDED.expires_at;

-- name: hasReset
SELECT 1 AS found
FROM password_resets
WHERE token_hash = $1
AND expires_at > clock_timestamp();

-- name: takeReset
SELECT u.id
FROM password_resets r
JOIN users u ON u.id = r.user_id
WHERE r.token_hash = $1
FOR NO KEY UPDATE OF u;

-- name: takeReset
DELETE FROM password_resets r USING users u
WHERE r.token_hash = $1
AND r.expires_at > clock_timestamp()
AND u.id = r.user_id
RETURNING u.id, u.name, u.email;

-- name: setPassword
UPDATE users
SET password_hash = $1
WHERE id = $2::int;

-- name: removeResetOf
DELETE FROM password_resets
WHERE user_id = $1::int;
