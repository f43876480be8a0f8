-- name: removeStaleSessions
DELETE FROM refresh_tokens
WHERE expires_at < clock_timestamp() - interval '1 day';

-- name: removeStaleSessions
DELETE FROM sessions s
WHERE s.revoked_at < clock_timestamp() - interval '1 day'
  OR (s.created_at < clock_timestamp() - interval '1 day' AND NOT EXISTS (SELECT FROM refresh_tokens t WHERE t.session_id = s.id));

-- name: removeStaleSessions
-- further: ef22c086eb
