-- name: proveAddress
SELECT
  email_proven_at IS NOT NULL AS is_proven
FROM
  users
WHERE
  id = $1::int
FOR NO KEY UPDATE;
-- plan:
--   LockRows
--     Index Scan users by users_pkey

-- name: proveAddress
UPDATE users
SET
  email_proven_at = date_trunc('milliseconds', clock_timestamp()),
  password_hash = CASE
    WHEN $1 THEN password_hash
  END
WHERE
  id = $2::int;
-- plan:
--   ModifyTable users
--     Index Scan users by users_pkey

-- name: removeMeans
DELETE FROM sign_on_identities
WHERE
  user_id = $1::int;
-- plan:
--   ModifyTable sign_on_identities
--     Bitmap Heap Scan sign_on_identities
--       Bitmap Index Scan by sign_on_identities_user

-- name: removeMeans
DELETE FROM sessions
WHERE
  user_id = $1::int;
-- plan:
--   ModifyTable sessions
--     Bitmap Heap Scan sessions
--       Bitmap Index Scan by sessions_user_id_idx

-- name: removeMeans
UPDATE invitations i
SET
  revoked_at = date_trunc('milliseconds', clock_timestamp())
WHERE
  i.invited_by = $1::int
  AND i.accepted_at IS NULL
  AND i.revoked_at IS NULL;
-- plan:
--   ModifyTable invitations
--     Seq Scan invitations

-- name: removeMeans
SELECT DISTINCT
  k.org_id
FROM
  api_keys k
WHERE
  k.created_by = $1::int
  AND k.revoked_at IS NULL
ORDER BY
  k.org_id;
-- plan:
--   Unique
--     Index Scan api_keys by api_keys_org_id_created_at_idx (whole)
