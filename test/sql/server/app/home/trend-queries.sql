-- name: readTrends
WITH yesterday AS (SELECT statement_timestamp() - interval '1 day' AS at)
SELECT (
  SELECT count(*)
  FROM assets a
  WHERE a.org_id = $1
  AND a.deleted_at IS NULL
  AND a.created_at >= y.at
)::float8 AS assets_added, (
  SELECT count(*)
  FROM assets a
  WHERE a.org_id = $2
  AND a.deleted_at >= y.at
  AND a.created_at < y.at
)::float8 AS assets_removed, (
  SELECT count(DISTINCT v.asset_id)
  FROM (
    SELECT x.asset_id
    FROM visits x
    WHERE x.org_id = $3
    AND x.arrived_at >= to_timestamp($4::float8 / 1000) - interval '1 day'
    AND x.arrived_at < y.at
    AND NOT EXISTS (
      SELECT
      FROM asset_placements w
      WHERE w.org_id = $5
      AND w.asset_id = x.asset_id
      AND w.placed_at = x.arrived_at
      AND w.container_id IS NULL
      OFFSET 0
    )
    LIMIT $6::int
  ) v
)::float8 AS moved_yesterday, latest.opened AS alerts_opened, latest.before AS alerts_opened_before
FROM yesterday y
CROSS JOIN LATERAL (
  SELECT (count(*) FILTER (WHERE n.opened_at >= y.at))::float8 AS opened,
    (count(*) FILTER (WHERE n.opened_at < y.at AND n.opened_at >= y.at - interval '1 day'))::float8 AS before
  FROM (
    SELECT a.opened_at
    FROM alerts a
    WHERE a.org_id = $7
    AND a.in_app
    ORDER BY a.id DESC
    LIMIT $8::int
  ) n
) latest;
