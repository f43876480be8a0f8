-- name: lockEndpoint
SELECT w.id, w.org_id, w.name, w.url, w.is_enabled, round(date_part('epoch', clock_timestamp()) * 1000) AS locked_at,
  w.failing_since IS NOT NULL AS is_failing,
  (SELECT sum(o.log_bytes) FROM webhook_endpoints o WHERE o.org_id = w.org_id) > $1::int8 AS is_log_full, EXISTS (
  SELECT
  FROM webhook_deliveries d
  WHERE d.endpoint_id = w.id
  AND d.status = 'pending'
  AND d.claimed_until IS NOT NULL
  AND d.claimed_until <= clock_timestamp()
) AS has_expired_claims, CASE WHEN w.previous_secret_until > clock_timestamp() THEN ARRAY[w.secret, w.previous_secret]
  ELSE ARRAY[w.secret] END AS secrets
FROM webhook_endpoints w
WHERE w.id = $2::int
FOR NO KEY UPDATE OF w;

-- name: findExpiredClaims
SELECT d.id::float8 AS id, d.attempts, round(date_part('epoch', d.claimed_until - interval '35 seconds') * 1000) AS claimed_at
FROM webhook_deliveries d
WHERE d.endpoint_id = $1::int
AND d.status = 'pending'
AND d.claimed_until IS NOT NULL
AND d.claimed_until <= clock_timestamp();

-- name: claimDue
UPDATE webhook_deliveries d
SET claimed_until = clock_timestamp() + make_interval(secs => $1::int)
WHERE d.id IN (
  SELECT c.id
  FROM webhook_deliveries c
  WHERE c.endpoint_id = $2::int
  AND c.status = 'pending'
  AND c.next_attempt_at <= to_timestamp($3::float8 / 1000)
  AND c.claimed_until IS NULL
  ORDER BY c.next_attempt_at
  LIMIT greatest(0, least($4::int, $5::int - (
    SELECT count(*)
    FROM webhook_deliveries u
    WHERE u.endpoint_id = $6::int
    AND u.claimed_until IS NOT NULL
    AND u.claimed_until > clock_timestamp()
  )))
)
RETURNING d.id::float8 AS id, d.event_key::text AS event_key, d.body, d.attempts;

-- name: recordAttempts
WITH given AS MATERIALIZED (
  SELECT *
  FROM unnest($1::int8[], $2::float8[], $3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::int[],
    $9::float8[]) AS g (delivery_id, at, duration_ms, status_code, error, answer, status, attempts, delay_ms)
),
changed AS (
  UPDATE webhook_deliveries d
  SET status = g.status, attempts = g.attempts, claimed_until = NULL, last_status_code = g.status_code, last_error = g.error,
    answer_bytes = d.answer_bytes + coalesce(octet_length(g.answer), 0), next_attempt_at = date_trunc('milliseconds',
    clock_timestamp()) + make_interval(secs => g.delay_ms / 1000), finished_at = CASE
    WHEN g.status <> 'pending' THEN date_trunc('milliseconds', clock_timestamp()) END
  FROM given g -- A delivery that was given up meanwhile, as its endpoint was disabled, stays so unless it arrived.
  WHERE d.id = g.delivery_id
  AND (d.status = 'pending' OR g.status = 'delivered')
  RETURNING d.id
) INSERT INTO webhook_attempts (delivery_id, attempted_at, duration_ms, status_code, error, answer)
SELECT d.id, to_timestamp(g.at / 1000), g.duration_ms, g.status_code, g.error, g.answer
FROM given g
JOIN webhook_deliveries d ON d.id = g.delivery_id;

-- name: returnClaims
UPDATE webhook_deliveries
SET claimed_until = NULL
WHERE id = ANY($1::int8[]);

-- name: noteEndpointHealth
UPDATE webhook_endpoints
SET last_success_at = CASE WHEN $1 THEN date_trunc('milliseconds', clock_timestamp()) ELSE last_success_at END,
  failing_since = CASE WHEN $2 THEN NULL WHEN $3 THEN coalesce(failing_since, date_trunc('milliseconds', clock_timestamp()))
  ELSE failing_since END
WHERE id = $4::int
RETURNING coalesce(failing_since < clock_timestamp() - make_interval(days => $5::int), false) AS is_failing_for_long;

-- name: nextDueMs
SELECT round(date_part('epoch', d.next_attempt_at) * 1000) AS at
FROM webhook_deliveries d
WHERE d.endpoint_id = $1::int
AND d.status = 'pending'
AND d.next_attempt_at > to_timestamp($2::float8 / 1000)
AND (d.claimed_until IS NULL OR d.claimed_until <= clock_timestamp())
ORDER BY d.next_attempt_at
LIMIT 1;

-- name: findDueEndpoints
SELECT w.id
FROM webhook_endpoints w
WHERE w.is_enabled
AND EXISTS (
  SELECT
  FROM webhook_deliveries d
  WHERE d.endpoint_id = w.id
  AND d.status = 'pending'
  AND d.next_attempt_at <= clock_timestamp()
  AND (d.claimed_until IS NULL OR d.claimed_until <= clock_timestamp())
)
ORDER BY w.id
LIMIT 1000;
