-- name: findPosition
SELECT p.location_id, p.reader_id, p.antenna, p.locating, round(date_part('epoch', p.asset_last_seen) * 1000) AS asset_last_seen,
  round(date_part('epoch', p.located_since) * 1000) AS located_since
FROM asset_positions p
WHERE p.org_id = $1
AND p.asset_id = $2;
