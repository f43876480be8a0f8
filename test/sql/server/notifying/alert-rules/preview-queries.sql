-- name: findPastEvents
SELECT round(date_part('epoch', h.at) * 1000) AS at, h.asset_id, h.reader_id, h.location_id, h.from_id, h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since, h.tag_type, h.value, h.measured
FROM (
  SELECT g.minute + make_interval(secs => $1::int) AS at, NULL::int AS asset_id, g.reader_id::int AS reader_id,
    NULL::int AS location_id, NULL::int AS from_id, NULL::int AS to_id, g.minute AS since, NULL::text AS tag_type,
    NULL::text AS value, NULL::float8 AS measured
  FROM (
    SELECT m.reader_id, m.minute, coalesce(lead(m.minute) OVER (PARTITION BY m.reader_id ORDER BY m.minute), now()) AS next
    FROM reader_minutes m
    WHERE m.org_id = $2::int
  ) g
  JOIN readers r ON r.org_id = $3::int
  AND r.id = g.reader_id
  AND r.deleted_at IS NULL
  WHERE g.next - g.minute >= make_interval(secs => $4::int) + interval '1 minute'
) h
WHERE h.at >= now() - make_interval(days => $5::int)
AND h.at <= now()
ORDER BY h.at DESC
LIMIT $6::int;

-- name: findPastEvents
SELECT round(date_part('epoch', h.at) * 1000) AS at, h.asset_id, h.reader_id, h.location_id, h.from_id, h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since, h.tag_type, h.value, h.measured
FROM (
  SELECT min(u.first_seen) AS at, NULL::int AS asset_id, min(u.reader_id) AS reader_id, NULL::int AS location_id,
    NULL::int AS from_id, NULL::int AS to_id, NULL::timestamptz AS since, u.tag_type, u.value, NULL::float8 AS measured
  FROM unknown_tags u
  WHERE u.org_id = $1::int
  AND u.last_seen >= now() - make_interval(days => $2::int)
  GROUP BY u.tag_type, u.value
  HAVING min(u.first_seen) >= now() - make_interval(days => $3::int)
) h
WHERE h.at >= now() - make_interval(days => $4::int)
AND h.at <= now()
ORDER BY h.at DESC
LIMIT $5::int;

-- name: findPastEvents
SELECT round(date_part('epoch', h.at) * 1000) AS at, h.asset_id, h.reader_id, h.location_id, h.from_id, h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since, h.tag_type, h.value, h.measured
FROM (
  SELECT r.began + make_interval(secs => $1::int) AS at, t.asset_id, NULL::int AS reader_id, p.location_id, NULL::int AS from_id,
    NULL::int AS to_id, r.began AS since, t.tag_type, t.value, r.measured
  FROM (SELECT m.tag_id FROM tag_telemetry m WHERE m.org_id = $2::int ORDER BY m.tag_id LIMIT $3::int) m
  CROSS JOIN LATERAL (
    SELECT min(f.hour) AS began, (array_agg(f.value ORDER BY f.hour))[1] AS measured
    FROM (
      SELECT h.hour, h.battery::float8 AS value, h.battery < $4::float8 AS holds,
        count(*) FILTER (WHERE NOT h.battery < $5::float8) OVER (ORDER BY h.hour) AS run
      FROM tag_telemetry_hours h
      WHERE h.tag_id = m.tag_id
      AND h.battery IS NOT NULL
      AND h.hour >= now() - make_interval(days => $6::int) - make_interval(secs => $7::int)
    ) f
    WHERE f.holds
    GROUP BY f.run
    HAVING max(f.hour) - min(f.hour) >= make_interval(secs => $8::int) -- Otherwise it may have begun before.
    AND (f.run > 0 OR NOT EXISTS (
      SELECT
      FROM tag_telemetry_hours h
      WHERE h.tag_id = m.tag_id
      AND h.battery IS NOT NULL
      AND h.hour < now() - make_interval(days => $9::int) - make_interval(secs => $10::int)
    ))
  ) r
  JOIN tags t ON t.org_id = $11::int
  AND t.id = m.tag_id
  AND t.asset_id IS NOT NULL
  AND t.deleted_at IS NULL
  LEFT JOIN asset_positions p ON p.org_id = $12::int
  AND p.asset_id = t.asset_id
) h
WHERE h.at >= now() - make_interval(days => $13::int)
AND h.at <= now()
ORDER BY h.at DESC
LIMIT $14::int;

-- name: findPastEvents
-- further: 074fd0f6f4 1a6e5bda35 33f18a3543 3e1ce655bb 4c397ad99d 555c0eed7c 5b87d8ff8b 65d7d1564c 688bd10cd8 71528c3022 7cefe9be9a 7e5a351f36
-- further: 838dc21df9 ce956964df eb3821f3c0
