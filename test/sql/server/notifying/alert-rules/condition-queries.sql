-- name: findTimedRules
SELECT r.id, r.org_id
FROM alert_rules r
WHERE r.is_enabled
AND r.limit_seconds IS NOT NULL
AND r.event_type = ANY($1::text[])
AND r.id > $2::int
ORDER BY r.id
LIMIT $3::int;

-- name: lockRule
SELECT round(date_part('epoch', r.checked_until) * 1000) AS checked_until, round(date_part('epoch',
  r.rechecked_until) * 1000) AS rechecked_until
FROM alert_rules r
WHERE r.org_id = $1::int
AND r.id = $2::int
AND r.is_enabled
FOR NO KEY UPDATE SKIP LOCKED;

-- name: noteChecked
UPDATE alert_rules
SET checked_until = to_timestamp($1::float8 / 1000), rechecked_until = to_timestamp($2::float8 / 1000)
WHERE id = $3::int;

-- name: findWaiting
SELECT c.asset_id, NULL::int AS reader_id, c.location_id, NULL::int AS belongs_to_id, round(date_part('epoch',
  c.since) * 1000) AS since, NULL::float8 AS value, EXISTS (
  SELECT
  FROM assets a
  WHERE a.org_id = c.org_id
  AND a.id = c.asset_id
  AND a.deleted_at IS NULL
  AND a.is_active
  AND a.valid_from <= statement_timestamp()
  AND (a.valid_to IS NULL OR a.valid_to > statement_timestamp())
)
AND NOT EXISTS (
  SELECT
  FROM alerts n
  WHERE n.rule_id = $1::int
  AND n.subject = 'asset:' || c.asset_id
  AND n.is_condition
  AND n.ended_at IS NULL
) AS is_reportable
FROM (
  SELECT $2::int AS org_id, p.asset_id, p.location_id, p.asset_last_seen AS since
  FROM ((
    WITH first AS MATERIALIZED (
      SELECT p.asset_id, p.location_id, p.asset_last_seen, p.listed_at
      FROM asset_positions p
      WHERE p.org_id = $3
      AND p.hidden_by = 0
      AND p.asset_last_seen <= to_timestamp($4::float8 / 1000)
      AND p.listed_at <= to_timestamp($5::float8 / 1000)
      AND NOT EXISTS (
        SELECT
        FROM asset_placements w
        WHERE w.org_id = $6
        AND w.asset_id = p.asset_id
        AND w.placed_at = p.asset_last_seen
        OFFSET 0
      )
      ORDER BY p.listed_at ASC FETCH FIRST ($7::bigint) ROWS WITH TIES
    )
    SELECT f.asset_id, f.location_id, f.asset_last_seen
    FROM first f
    UNION ALL SELECT p.asset_id, p.location_id, p.asset_last_seen
    FROM asset_positions p
    WHERE p.org_id = $8
    AND p.hidden_by = 0
    AND p.asset_last_seen <= to_timestamp($9::float8 / 1000)
    AND p.listed_at <= to_timestamp($10::float8 / 1000)
    AND NOT EXISTS (
      SELECT
      FROM asset_placements w
      WHERE w.org_id = $11
      AND w.asset_id = p.asset_id
      AND w.placed_at = p.asset_last_seen
      OFFSET 0
    )
    AND p.listed_at > (SELECT max(f.listed_at) FROM first f)
    AND p.listed_at <= (SELECT max(f.listed_at) + interval '2 seconds' FROM first f)
  ) UNION ALL SELECT p.asset_id, p.location_id,
    w.seen_before FROM asset_placements w JOIN asset_positions p ON p.org_id = w.org_id AND p.asset_id = w.asset_id AND p.asset_last_seen = w.placed_at WHERE w.org_id = $12 AND p.hidden_by IN (0, 2) AND p.hidden_by = 0 AND w.seen_before <= to_timestamp($13::float8 / 1000) AND w.seen_before > coalesce(to_timestamp($14::float8 / 1000), '-infinity')) p
  ORDER BY p.asset_last_seen FETCH FIRST ($15::int) ROWS WITH TIES
) c
ORDER BY c.since, c.asset_id;

-- name: findWaiting
-- further: 3be23113ea 7cfbc8bb5d d8a626ffb0

-- name: findBreaching
SELECT c.asset_id, NULL::int AS reader_id, p.location_id, NULL::int AS belongs_to_id, round(date_part('epoch',
  c.since) * 1000) AS since, c.value, EXISTS (
  SELECT
  FROM assets a
  WHERE a.org_id = c.org_id
  AND a.id = c.asset_id
  AND a.deleted_at IS NULL
  AND a.is_active
  AND a.valid_from <= statement_timestamp()
  AND (a.valid_to IS NULL OR a.valid_to > statement_timestamp())
)
AND NOT EXISTS (
  SELECT
  FROM alerts n
  WHERE n.rule_id = $1::int
  AND n.subject = 'asset:' || c.asset_id
  AND n.is_condition
  AND n.ended_at IS NULL
) AS is_reportable
FROM (
  SELECT b.since, t.org_id, t.asset_id, m.battery::float8 AS value
  FROM (
    SELECT x.tag_id, x.since
    FROM telemetry_breaches x
    WHERE x.rule_id = $2::int
    AND x.org_id = $3::int
    AND x.since > to_timestamp($4::float8 / 1000)
    AND x.since <= to_timestamp($5::float8 / 1000)
    ORDER BY x.since FETCH FIRST ($6::int) ROWS WITH TIES
  ) b
  JOIN tags t ON t.id = b.tag_id
  AND t.org_id = $7::int
  JOIN tag_telemetry m ON m.tag_id = b.tag_id
) c
LEFT JOIN asset_positions p ON p.org_id = c.org_id
AND p.asset_id = c.asset_id
ORDER BY c.since, c.asset_id;

-- name: findBreaching
-- further: 0668fb98cf

-- name: findOffline
SELECT NULL::int AS asset_id, r.id AS reader_id, r.location_id, NULL::int AS belongs_to_id, round(date_part('epoch',
  r.last_message_at) * 1000) AS since, NULL::float8 AS value, true AS is_reportable
FROM readers r
WHERE r.org_id = $1::int
AND r.deleted_at IS NULL
AND r.last_message_at <= to_timestamp($2::float8 / 1000)
AND NOT EXISTS (
  SELECT
  FROM alerts a
  WHERE a.rule_id = $3::int
  AND a.subject = 'reader:' || r.id
  AND a.is_condition
  AND a.ended_at IS NULL
)
ORDER BY r.last_message_at
LIMIT $4::int;

-- name: countOpenConditions
SELECT count(*)::int AS n
FROM (SELECT FROM alerts WHERE rule_id = $1::int AND is_condition AND ended_at IS NULL LIMIT $2::int) open;

-- name: endConditions
UPDATE alerts a
SET ended_at = date_trunc('milliseconds', clock_timestamp())
FROM readers r
WHERE a.rule_id = $1::int
AND a.is_condition
AND a.ended_at IS NULL
AND r.org_id = a.org_id
AND r.id = a.reader_id
AND (r.deleted_at IS NOT NULL OR r.last_message_at > to_timestamp($2::float8 / 1000))
RETURNING a.reader_id, a.data ->> 'last_message_at' AS silent_since, r.deleted_at IS NULL AS is_back;

-- name: endConditions
UPDATE alerts a
SET ended_at = date_trunc('milliseconds', clock_timestamp())
WHERE a.rule_id = $1::int
AND a.is_condition
AND a.ended_at IS NULL
AND (NOT EXISTS (
  SELECT
  FROM tags t
  JOIN telemetry_breaches b ON b.tag_id = t.id
  AND b.rule_id = a.rule_id
  WHERE t.org_id = a.org_id
  AND t.asset_id = a.asset_id
) OR NOT EXISTS (
  SELECT
  FROM assets s
  WHERE s.org_id = a.org_id
  AND s.id = a.asset_id
  AND s.deleted_at IS NULL
  AND s.is_active
));

-- name: endConditions
-- further: 77d8eb6da5 9fd26b58d0

-- name: recordOnline
WITH back AS (
  INSERT INTO outbox_events (org_id, key, type, occurred_at, reader_id, data)
  SELECT r.org_id, md5(concat_ws(' ', 'reader.online', r.org_id, r.id, g.silent_since))::uuid, 'reader.online',
    date_trunc('milliseconds', clock_timestamp()), r.id, json_build_object('last_message_at', api_timestamp(r.last_message_at))
  FROM unnest($1::int[], $2::text[]) AS g (reader_id, silent_since)
  JOIN readers r ON r.org_id = $3::int
  AND r.id = g.reader_id
  JOIN event_interests i ON i.org_id = r.org_id
  AND 'reader.online' = ANY (i.types)
  RETURNING 1
)
SELECT (graphile_worker.add_job('route_events')).id::float8
WHERE EXISTS (SELECT FROM back);
