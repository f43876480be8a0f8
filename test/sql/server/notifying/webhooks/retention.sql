-- name: removeOldDeliveries
DELETE FROM webhook_deliveries
WHERE status <> 'pending'
AND id IN (
  SELECT old.id
  FROM webhook_endpoints w
  CROSS JOIN LATERAL (
    SELECT d.id
    FROM webhook_deliveries d
    WHERE d.org_id = w.org_id
    AND d.endpoint_id = w.id
    ORDER BY d.id DESC
    LIMIT $1::int
    OFFSET $2::int
  ) old
  LIMIT $3::int
);

-- name: removeOldDeliveries
SELECT org_id
FROM webhook_endpoints
GROUP BY org_id
HAVING sum(log_bytes) > $1::int8;

-- name: trimLog
SELECT w.id
FROM webhook_endpoints w
WHERE w.org_id = $1::int
ORDER BY w.id
FOR NO KEY UPDATE;

-- name: trimLog
DELETE FROM webhook_deliveries d USING (
  SELECT f.id, sum(f.bytes) OVER (ORDER BY f.id) - f.bytes AS before
  FROM webhook_endpoints w
  CROSS JOIN LATERAL (
    SELECT c.id, octet_length(c.body) + c.answer_bytes AS bytes
    FROM webhook_deliveries c
    WHERE c.org_id = w.org_id
    AND c.endpoint_id = w.id
    AND c.status <> 'pending'
    ORDER BY c.id
    LIMIT $1::int
  ) f
  WHERE w.org_id = $2::int
  ORDER BY f.id
  LIMIT $3::int
) oldest
WHERE d.id = oldest.id
AND oldest.before < (SELECT sum(log_bytes) FROM webhook_endpoints WHERE org_id = $4::int) - $5::int8;
