-- name: removeAged
DELETE FROM alerts
WHERE id IN (
  SELECT id
  FROM alerts
  WHERE opened_at < now() - make_interval(days => $1::int)
  AND (NOT is_condition OR ended_at IS NOT NULL)
  ORDER BY opened_at
  LIMIT $2::int
);

-- name: removeAged
DELETE FROM webhook_deliveries
WHERE id IN (
  SELECT id
  FROM webhook_deliveries
  WHERE created_at < now() - make_interval(days => $1::int)
  AND (status <> 'pending')
  ORDER BY created_at
  LIMIT $2::int
);
