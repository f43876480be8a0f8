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
  SELECT k.until AS at, k.asset_id::int AS asset_id, NULL::int AS reader_id, v.location_id::int AS location_id,
    k.container_id::int AS from_id, NULL::int AS to_id, NULL::timestamptz AS since, NULL::text AS tag_type, NULL::text AS value,
    NULL::float8 AS measured
  FROM asset_containments k
  LEFT JOIN LATERAL (
    SELECT o.location_id
    FROM visits o
    WHERE o.org_id = k.org_id
    AND o.asset_id = k.asset_id
    AND o.arrived_at <= k.until
    ORDER BY o.arrived_at DESC
    LIMIT 1
  ) v ON true
  WHERE k.org_id = $1::int
  AND k.ended_by = 'reads'
  AND k.until >= now() - make_interval(days => $2::int)
) h
WHERE h.at >= now() - make_interval(days => $3::int)
AND h.at <= now()
ORDER BY h.at DESC
LIMIT $4::int;

-- name: findPastEvents
-- further: 074fd0f6f4 1a6e5bda35 3d289654ba 4c397ad99d 555c0eed7c 65d7d1564c 688bd10cd8 71528c3022 7a8a6c2cbb 7cefe9be9a 7e5a351f36 848b8af524
-- further: 877061b4d7 ce956964df eb3821f3c0 fb1e6b91f9
