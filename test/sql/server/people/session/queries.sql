-- name: findCredentials
SELECT id, name, email, password_hash
FROM users
WHERE email = $1;

-- name: insertUser
INSERT INTO users (email, name, password_hash, created_at, email_proven_at)
VALUES ($1, $2, $3, date_trunc('milliseconds', clock_timestamp()), CASE WHEN $4 THEN date_trunc('milliseconds',
  clock_timestamp()) END) ON CONFLICT (email) DO NOTHING
RETURNING id, name, email;

-- name: lockPassword
SELECT 1 AS held
FROM users
WHERE id = $1::int
AND password_hash = $2
FOR SHARE;

-- name: replacePassword
UPDATE users
SET password_hash = $1
WHERE id = $2::int
AND password_hash = $3;

-- name: renameUser
UPDATE users
SET name = $1
WHERE id = $2::int
RETURNING id, name, email;

-- name: findUser
SELECT id, name, email
FROM users
WHERE id = $1::int;

-- name: findProvenAddress
SELECT email
FROM users
WHERE id = $1::int
AND email_proven_at IS NOT NULL;

-- name: findOrganizations
SELECT o.id, o.name, m.role
FROM memberships m
JOIN organizations o ON o.id = m.org_id
WHERE m.user_id = $1::int
ORDER BY o.name COLLATE natural_order, o.id;

-- name: findOrganization
SELECT o.id, o.name, m.role
FROM memberships m
JOIN organizations o ON o.id = m.org_id
WHERE m.user_id = $1::int
AND m.org_id = $2::int;

-- name: findHomeOrganization
SELECT o.id, o.name, m.role
FROM memberships m
JOIN organizations o ON o.id = m.org_id
WHERE m.user_id = $1::int
ORDER BY (SELECT max(s.created_at) FROM sessions s WHERE s.user_id = m.user_id AND s.org_id = m.org_id) DESC NULLS LAST,
  m.created_at, o.id
LIMIT 1;

-- name: hasEarlierMemberships
SELECT 1 AS found
FROM memberships
WHERE user_id = $1::int
AND precedes_proof
LIMIT 1;

-- name: insertSession
DELETE FROM sessions
WHERE id IN (
  SELECT id
  FROM sessions
  WHERE user_id = $1::int
  ORDER BY created_at DESC, id
  OFFSET $2::int
  FOR UPDATE SKIP LOCKED
);

-- name: insertSession
INSERT INTO sessions (id, user_id, org_id, device_id, created_at)
VALUES ($1::uuid, $2::int, $3::int, $4, date_trunc('milliseconds', clock_timestamp()));

-- name: insertRefreshToken
INSERT INTO refresh_tokens (token_hash, session_id, is_successor, issued_at, expires_at)
VALUES ($1, $2::uuid, $3, date_trunc('milliseconds', clock_timestamp()), to_timestamp($4::float8 / 1000));

-- name: lockRefreshToken
SELECT s.id::text AS session_id, s.user_id, s.org_id, s.device_id, t.is_successor, (s.revoked_at IS NOT NULL
  OR t.expires_at <= clock_timestamp()) AS is_over, round(date_part('epoch', clock_timestamp()) * 1000) - round(date_part('epoch',
  t.issued_at) * 1000) AS age, round(date_part('epoch', t.expires_at) * 1000) AS expires_at, round(date_part('epoch',
  clock_timestamp()) * 1000) - round(date_part('epoch', t.used_at) * 1000) AS used_for
FROM refresh_tokens t
JOIN sessions s ON s.id = t.session_id
WHERE t.token_hash = $1
FOR UPDATE OF t, s;

-- name: moveSession
UPDATE sessions
SET org_id = $1::int
WHERE id = $2::uuid
AND revoked_at IS NULL;

-- name: findExistingToken
SELECT token_hash
FROM refresh_tokens
WHERE token_hash = ANY($1::text[]);

-- name: useRefreshToken
UPDATE refresh_tokens
SET used_at = date_trunc('milliseconds', clock_timestamp())
WHERE token_hash = $1;

-- name: revokeSession
WITH devices AS (DELETE FROM push_subscriptions WHERE session_id = $1::uuid) UPDATE sessions
SET revoked_at = date_trunc('milliseconds', clock_timestamp())
WHERE id = $2::uuid
AND revoked_at IS NULL;

-- name: revokeSessionsOfUser
WITH devices AS (
  DELETE FROM push_subscriptions
  WHERE session_id IN (SELECT id FROM sessions WHERE user_id = $1::int)
) UPDATE sessions
SET revoked_at = date_trunc('milliseconds', clock_timestamp())
WHERE user_id = $2::int
AND revoked_at IS NULL;

-- name: requireOpenSession
SELECT 1 AS held
FROM sessions
WHERE id = $1::uuid
AND revoked_at IS NULL
FOR SHARE;

-- name: revokeOtherSessions
UPDATE sessions
SET revoked_at = date_trunc('milliseconds', clock_timestamp())
WHERE user_id = $1::int
AND id <> $2::uuid
AND revoked_at IS NULL;
