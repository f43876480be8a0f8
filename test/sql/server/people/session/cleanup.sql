-- name: removeStaleSessions
DELETE FROM refresh_tokens
WHERE
  expires_at < clock_timestamp() - interval '1 day';
-- plan:
--   ModifyTable refresh_tokens
--     Seq Scan refresh_tokens

-- name: removeStaleSessions
DELETE FROM sessions s
WHERE
  s.revoked_at < clock_timestamp() - interval '1 day'
  OR (
    s.created_at < clock_timestamp() - interval '1 day'
    AND NOT EXISTS (
      SELECT
      FROM
        refresh_tokens t
      WHERE
        t.session_id = s.id
    )
  );
-- plan:
--   ModifyTable sessions
--     Seq Scan sessions
--       SubPlan 2: Bitmap Heap Scan refresh_tokens
--         Bitmap Index Scan by refresh_tokens_session_id_idx (whole)

-- name: removeStaleSessions
DELETE FROM password_resets
WHERE
  expires_at < clock_timestamp();
-- plan:
--   ModifyTable password_resets
--     Seq Scan password_resets
