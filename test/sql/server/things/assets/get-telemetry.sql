-- name: getTelemetry
SELECT t.id AS tag_id, json_strip_nulls(json_build_object('battery', CASE
  WHEN m.battery IS NOT NULL THEN json_build_object('value', m.battery, 'at', api_timestamp(m.battery_at)) END, 'voltage', CASE
  WHEN m.voltage IS NOT NULL THEN json_build_object('value', m.voltage, 'at', api_timestamp(m.voltage_at)) END, 'temperature',
  CASE WHEN m.temperature IS NOT NULL THEN json_build_object('value', m.temperature, 'at',
  api_timestamp(m.temperature_at)) END, 'humidity', CASE WHEN m.humidity IS NOT NULL THEN json_build_object('value',
  m.humidity, 'at', api_timestamp(m.humidity_at)) END, 'motion', CASE
  WHEN m.motion IS NOT NULL THEN json_build_object('value', m.motion, 'at', api_timestamp(m.motion_at)) END, 'movements',
  CASE WHEN m.movements IS NOT NULL THEN json_build_object('value', m.movements, 'at',
  api_timestamp(m.movements_at)) END, 'button', CASE WHEN m.button IS NOT NULL THEN json_build_object('value',
  m.button, 'at', api_timestamp(m.button_at)) END)) AS values
FROM tags t
LEFT JOIN tag_telemetry m ON m.tag_id = t.id
AND m.org_id = t.org_id
WHERE t.org_id = $1::int
AND t.asset_id = $2::int
AND t.deleted_at IS NULL
ORDER BY t.id;
