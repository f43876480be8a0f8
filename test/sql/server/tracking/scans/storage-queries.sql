-- name: storeChanges
WITH event AS (
  INSERT INTO scan_events (org_id, asset_id, event_observed_at, location_id, reader_id, antenna, rssi_dbm, received_at)
  SELECT e.org_id, e.asset_id, to_timestamp(e.at / 1000), e.location_id, e.reader_id, e.antenna, e.rssi,
    to_timestamp(e.received / 1000)
  FROM (
    SELECT unnest($1::int[]) AS org_id, unnest($2::int[]) AS asset_id, unnest($3::float8[]) AS at,
      unnest($4::int[]) AS location_id, unnest($5::int[]) AS reader_id, unnest($6::int[]) AS antenna, unnest($7::real[]) AS rssi,
      unnest($8::float8[]) AS received
  ) AS e
  RETURNING 1
),
position AS (
  UPDATE asset_positions p
  SET location_id = c.location_id, located_since = to_timestamp(c.since / 1000),
    asset_last_seen = to_timestamp(c.last_seen / 1000), listed_at = CASE WHEN to_timestamp(c.last_seen / 1000) BETWEEN p.listed_at
  AND p.listed_at + interval '2 seconds' THEN p.listed_at ELSE to_timestamp(c.last_seen / 1000) END, reader_id = c.reader_id,
    antenna = c.antenna, last_event_at = to_timestamp(c.last_event / 1000), last_event_location_id = c.last_event_location_id,
    locating = c.locating
  FROM (
    SELECT unnest($9::int[]) AS org_id, unnest($10::int[]) AS asset_id, unnest($11::int[]) AS location_id,
      unnest($12::float8[]) AS since, unnest($13::float8[]) AS last_seen, unnest($14::int[]) AS reader_id,
      unnest($15::int[]) AS antenna, unnest($16::float8[]) AS last_event, unnest($17::int[]) AS last_event_location_id,
      unnest($18::text[]) AS locating
  ) AS c
  CROSS JOIN LATERAL (
    SELECT r.ctid, r.asset_id
    FROM asset_positions r
    WHERE r.org_id = c.org_id
    AND r.asset_id BETWEEN c.asset_id
    AND c.asset_id
    ORDER BY r.asset_id
    LIMIT 1
  ) locked
  WHERE p.ctid = locked.ctid
  AND locked.asset_id = c.asset_id
  RETURNING 1
)
SELECT (SELECT count(*)::int FROM event) AS stored_events, require_all_stored((SELECT count(*) FROM position),
  $19::int) AS all_positions, (
  SELECT count(pg_notify('whereabouts_positions', n.notice))::int
  FROM (SELECT unnest($20::text[]) AS notice) AS n
) AS notices, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms, '' AS stored_heartbeats;

-- name: storeChanges
-- further: 002efde7aa 0099390bd4 03a613b018 2933d5c7c5 3a714ebdbd 5530a91740 6049a3f321 6142b3492f 78ac83dc22 7eecf2dcd9 94f5656578 aa41477029
-- further: b0b51de3fb b607620ff6 c0f18d16ad c8e69c6481 e0d4e21d00
