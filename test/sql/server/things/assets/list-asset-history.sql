-- name: listEventRows
WITH RECURSIVE page AS MATERIALIZED (
  SELECT e.event_observed_at, e.location_id
  FROM scan_events e
  WHERE e.org_id = $1
  AND e.asset_id = $2
  AND e.event_observed_at <= to_timestamp($3::float8 / 1000)
  ORDER BY e.event_observed_at ASC
  LIMIT $4
  OFFSET $5
),
counts AS (
  SELECT (
    SELECT count(*)::float8
    FROM scan_events e
    WHERE e.org_id = $6
    AND e.asset_id = $7
    AND e.event_observed_at <= to_timestamp($8::float8 / 1000)
  ) AS total_count
  FROM assets a
  WHERE a.org_id = $9
  AND a.id = $10
  AND a.deleted_at IS NULL
)
SELECT counts.*, round(date_part('epoch', e.event_observed_at) * 1000) AS event_observed_at, e.location_id,
  l.external_key AS location_external_key
FROM counts
LEFT JOIN page e ON true
LEFT JOIN locations l ON l.org_id = $11
AND l.id = e.location_id
AND l.deleted_at IS NULL
ORDER BY e.event_observed_at ASC;

-- name: listEventRows
-- further: 29f7e241c2 54872315c5 5bfd78289f 77c6d93cd9 88943413c0 da45230749 f23f0b46bf
