-- name: getTelemetryHours
SELECT api_timestamp(h.hour) AS hour, h.battery, h.voltage, h.temperature, h.humidity
FROM tags t
JOIN tag_telemetry_hours h ON h.tag_id = t.id
AND h.org_id = t.org_id
WHERE t.org_id = $1::int
AND t.asset_id = $2::int
AND t.id = $3::int
AND t.deleted_at IS NULL
AND h.hour > now() - make_interval(days => $4::int)
ORDER BY h.hour;
