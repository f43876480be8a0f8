-- name: setRole
UPDATE memberships
SET role = $1
WHERE
  org_id = $2::int
  AND user_id = $3::int;
-- plan:
--   ModifyTable memberships
--     Index Scan memberships by memberships_pkey

-- name: removeMember
DELETE FROM memberships
WHERE
  org_id = $1::int
  AND user_id = $2::int;
-- plan:
--   ModifyTable memberships
--     Index Scan memberships by memberships_pkey

-- name: removeMember
INSERT INTO
  former_members (org_id, user_id)
VALUES
  ($1::int, $2::int)
ON CONFLICT (org_id, user_id) DO UPDATE
SET
  removed_at = EXCLUDED.removed_at;
-- plan:
--   ModifyTable former_members
--     Result

-- name: removeMember
UPDATE sessions
SET
  revoked_at = date_trunc('milliseconds', clock_timestamp())
WHERE
  user_id = $1::int
  AND org_id = $2::int
  AND revoked_at IS NULL;
-- plan:
--   ModifyTable sessions
--     Bitmap Heap Scan sessions
--       Bitmap Index Scan by sessions_user_id_idx
