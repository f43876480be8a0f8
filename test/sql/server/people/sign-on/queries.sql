-- name: findIdentityUser
SELECT user_id
FROM sign_on_identities
WHERE issuer = $1
AND subject = $2;

-- name: useIdentity
UPDATE sign_on_identities i
SET last_used_at = date_trunc('milliseconds', clock_timestamp())
FROM users u
WHERE i.issuer = $1
AND i.subject = $2
AND u.id = i.user_id
RETURNING u.id, u.name, u.email;

-- name: insertIdentity
INSERT INTO sign_on_identities (issuer, subject, user_id, created_at, last_used_at)
VALUES ($1, $2, $3::int, date_trunc('milliseconds', clock_timestamp()), date_trunc('milliseconds',
  clock_timestamp())) ON CONFLICT DO NOTHING;

-- name: lockUser
SELECT id
FROM users
WHERE id = $1::int
FOR NO KEY UPDATE;

-- name: lockAccount
SELECT id
FROM users
WHERE email = $1
FOR NO KEY UPDATE;

-- name: lockAccount
SELECT u.id, u.name, u.email, u.password_hash IS NOT NULL AS has_password, u.email_proven_at IS NOT NULL AS is_proven,
  (SELECT i.subject FROM sign_on_identities i WHERE i.user_id = u.id AND i.issuer = $1) AS subject
FROM users u
WHERE u.email = $2;

-- name: findOwnAccount
SELECT email, email_proven_at IS NOT NULL AS is_proven
FROM users
WHERE id = $1::int
FOR NO KEY UPDATE;

-- name: findMeans
SELECT u.password_hash IS NOT NULL AS has_password, u.email_proven_at IS NOT NULL AS is_email_proven, (
  SELECT round(date_part('epoch', min(i.created_at)) * 1000)
  FROM sign_on_identities i
  WHERE i.user_id = u.id
) AS connected_at
FROM users u
WHERE u.id = $1::int;

-- name: disconnectIdentities
DELETE FROM sign_on_identities i USING users u
WHERE i.user_id = $1::int
AND u.id = i.user_id
AND (u.password_hash IS NOT NULL OR NOT $2);
