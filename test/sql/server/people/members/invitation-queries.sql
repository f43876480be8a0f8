-- name: insertInvitation
INSERT INTO invitations AS i (org_id, token_hash, mail_token_hash, role, email, invited_by, created_at, expires_at)
VALUES ($1::int, $2, $3, $4, $5, $6::int, date_trunc('milliseconds', clock_timestamp()), to_timestamp($7::float8 / 1000))
RETURNING i.id, i.role, i.email, (SELECT u.name FROM users u WHERE u.id = i.invited_by) AS invited_by_name,
  api_timestamp(i.created_at) AS created_at, api_timestamp(i.expires_at) AS expires_at;

-- name: findInvitations
SELECT i.id, i.role, i.email, (SELECT u.name FROM users u WHERE u.id = i.invited_by) AS invited_by_name,
  api_timestamp(i.created_at) AS created_at, api_timestamp(i.expires_at) AS expires_at
FROM invitations i
WHERE i.org_id = $1::int
AND i.accepted_at IS NULL
AND i.revoked_at IS NULL
AND i.expires_at > clock_timestamp()
ORDER BY i.created_at DESC, i.id DESC
LIMIT $2::int
OFFSET $3::int;

-- name: countInvitations
SELECT count(*)::int AS n
FROM invitations i
WHERE i.org_id = $1::int
AND i.accepted_at IS NULL
AND i.revoked_at IS NULL
AND i.expires_at > clock_timestamp();

-- name: countAddressed
SELECT count(*)::int AS n
FROM invitations i
WHERE i.org_id = $1::int
AND i.email IS NOT NULL
AND i.created_at > clock_timestamp() - interval '1 day';

-- name: endInvitation
UPDATE invitations i
SET revoked_at = date_trunc('milliseconds', clock_timestamp())
WHERE i.org_id = $1::int
AND i.id = $2::int
AND i.accepted_at IS NULL
AND i.revoked_at IS NULL
AND i.expires_at > clock_timestamp()
RETURNING i.id, i.email;

-- name: endInvitationsBy
UPDATE invitations i
SET revoked_at = date_trunc('milliseconds', clock_timestamp())
WHERE i.org_id = $1::int
AND i.invited_by = $2::int
AND i.accepted_at IS NULL
AND i.revoked_at IS NULL
AND i.expires_at > clock_timestamp();

-- name: findOffer
SELECT i.id, i.role, i.email, round(date_part('epoch', i.expires_at) * 1000) AS expires_at, o.id AS org_id, o.name AS org_name,
  i.mail_token_hash IS NOT DISTINCT FROM $1 AS is_mailed
FROM invitations i
JOIN organizations o ON o.id = i.org_id
WHERE (i.token_hash = $2 OR i.mail_token_hash = $3)
AND i.accepted_at IS NULL
AND i.revoked_at IS NULL
AND i.expires_at > clock_timestamp();

-- name: takeOffer
SELECT i.id, i.role, i.email, round(date_part('epoch', i.expires_at) * 1000) AS expires_at, o.id AS org_id, o.name AS org_name,
  i.mail_token_hash IS NOT DISTINCT FROM $1 AS is_mailed
FROM invitations i
JOIN organizations o ON o.id = i.org_id
WHERE (i.token_hash = $2 OR i.mail_token_hash = $3)
AND i.accepted_at IS NULL
AND i.revoked_at IS NULL
AND i.expires_at > clock_timestamp()
FOR UPDATE OF i;

-- name: takeOffer
UPDATE invitations
SET accepted_at = date_trunc('milliseconds', clock_timestamp())
WHERE id = $1::int;

-- name: removeOldInvitations
DELETE FROM invitations
WHERE expires_at < clock_timestamp() - make_interval(days => $1::int);
