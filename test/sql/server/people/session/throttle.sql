-- name: clearSignIn
DELETE FROM sign_in_throttles
WHERE key IN (SELECT key FROM sign_in_throttles WHERE key = ANY($1::text[]) ORDER BY key COLLATE "C" FOR UPDATE);

-- name: lower
UPDATE sign_in_throttles t
SET failures = greatest(t.failures - 1, 0)
FROM (SELECT key FROM sign_in_throttles WHERE key = ANY($1::text[]) ORDER BY key COLLATE "C" FOR UPDATE) locked
WHERE t.key = locked.key;

-- name: count
INSERT INTO sign_in_throttles AS known (key, failures, window_started_at)
SELECT key, 1, date_trunc('milliseconds', clock_timestamp())
FROM unnest($1::text[]) AS wanted (key)
ORDER BY key COLLATE "C" ON CONFLICT (key) DO UPDATE
SET failures = CASE WHEN known.window_started_at > date_trunc('milliseconds',
  clock_timestamp()) - make_interval(secs => $2::int) THEN known.failures + 1 ELSE 1 END, window_started_at = CASE
  WHEN known.window_started_at > date_trunc('milliseconds',
  clock_timestamp()) - make_interval(secs => $3::int) THEN known.window_started_at ELSE date_trunc('milliseconds',
  clock_timestamp()) END
RETURNING key, failures,
  extract(epoch FROM window_started_at + make_interval(secs => $4::int) - clock_timestamp())::float8 AS seconds_left;

-- name: boundSignInThrottles
DELETE FROM sign_in_throttles
WHERE key IN (
  SELECT key
  FROM sign_in_throttles
  WHERE window_started_at < clock_timestamp() - make_interval(secs => $1::int)
  FOR UPDATE SKIP LOCKED
);

-- name: boundSignInThrottles
DELETE FROM sign_in_throttles
WHERE key IN (
  SELECT key
  FROM sign_in_throttles
  ORDER BY failures, window_started_at
  LIMIT greatest(0, (SELECT count(*) FROM sign_in_throttles) - $1::int)
  FOR UPDATE SKIP LOCKED
);
