-- name: recordLeftContainer
WITH recorded AS (
  INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, location_id, data)
  SELECT c.org_id, 'asset.left_container', to_timestamp(c.at / 1000), c.asset_id, c.location_id, json_build_object('container_id',
    c.container_id, 'container_location_id', c.container_location_id)
  FROM (
    SELECT unnest($1::int[]) AS org_id, unnest($2::int[]) AS asset_id, unnest($3::int[]) AS location_id,
      unnest($4::int[]) AS container_id, unnest($5::int[]) AS container_location_id, unnest($6::float8[]) AS at
  ) AS c
  RETURNING 1
)
SELECT (graphile_worker.add_job('route_events')).id::float8
WHERE EXISTS (SELECT FROM recorded);
