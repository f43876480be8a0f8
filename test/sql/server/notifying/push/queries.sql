-- name: findDevices
SELECT p.id, p.endpoint
FROM push_subscriptions p
WHERE p.org_id = $1::int
AND p.user_id = $2::int
AND EXISTS (
  SELECT
  FROM sessions s
  WHERE s.id = p.session_id
  AND s.user_id = p.user_id
  AND s.revoked_at IS NULL
);

-- name: storeDevice
INSERT INTO push_subscriptions (org_id, user_id, session_id, endpoint, p256dh, auth, key_id, created_at)
VALUES ($1::int, $2::int, $3::uuid, $4, $5, $6, $7, date_trunc('milliseconds', clock_timestamp())) ON CONFLICT (org_id,
  endpoint) DO UPDATE
SET user_id = EXCLUDED.user_id, session_id = EXCLUDED.session_id, p256dh = EXCLUDED.p256dh, auth = EXCLUDED.auth,
  key_id = EXCLUDED.key_id, created_at = EXCLUDED.created_at;

-- name: storeDevice
DELETE FROM push_subscriptions
WHERE id IN (
  SELECT p.id
  FROM push_subscriptions p
  WHERE p.org_id = $1::int
  AND p.user_id = $2::int
  ORDER BY p.created_at DESC, p.id DESC
  OFFSET $3::int
);

-- name: removeEndpoint
DELETE FROM push_subscriptions
WHERE org_id = $1::int
AND user_id = $2::int
AND endpoint = $3;

-- name: findDevice
SELECT p.id, p.endpoint, p.p256dh, p.auth, p.key_id
FROM push_subscriptions p
WHERE p.org_id = $1::int
AND p.id = $2::int
AND EXISTS (
  SELECT
  FROM sessions s
  WHERE s.id = p.session_id
  AND s.user_id = p.user_id
  AND s.revoked_at IS NULL
);

-- name: removeDevice
DELETE FROM push_subscriptions
WHERE org_id = $1::int
AND id = $2::int
AND endpoint = $3;

-- name: findPushed
SELECT DISTINCT p.org_id AS "orgId", p.user_id AS "userId"
FROM push_subscriptions p
JOIN unnest($1::int[], $2::int[]) AS g (org_id, user_id) ON g.org_id = p.org_id
AND g.user_id = p.user_id;
