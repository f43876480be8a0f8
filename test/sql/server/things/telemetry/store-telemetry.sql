-- name: storeTelemetry
WITH given AS MATERIALIZED (
  SELECT c.org_id, c.tag_id, c.reports_press, t.asset_id, t.tag_type, t.value, c.battery,
    to_timestamp(c.battery_ms / 1000)::timestamptz(3) AS battery_at, c.voltage,
    to_timestamp(c.voltage_ms / 1000)::timestamptz(3) AS voltage_at, c.temperature,
    to_timestamp(c.temperature_ms / 1000)::timestamptz(3) AS temperature_at, c.humidity,
    to_timestamp(c.humidity_ms / 1000)::timestamptz(3) AS humidity_at, c.motion,
    to_timestamp(c.motion_ms / 1000)::timestamptz(3) AS motion_at, c.movements,
    to_timestamp(c.movements_ms / 1000)::timestamptz(3) AS movements_at, c.button,
    to_timestamp(c.button_ms / 1000)::timestamptz(3) AS button_at
  FROM (
    SELECT unnest($1::int[]) AS org_id, unnest($2::int[]) AS tag_id, unnest($3::int[]) AS reports_press,
      unnest($4::real[]) AS battery, unnest($5::float8[]) AS battery_ms, unnest($6::real[]) AS voltage,
      unnest($7::float8[]) AS voltage_ms, unnest($8::real[]) AS temperature, unnest($9::float8[]) AS temperature_ms,
      unnest($10::real[]) AS humidity, unnest($11::float8[]) AS humidity_ms, unnest($12::real[]) AS motion,
      unnest($13::float8[]) AS motion_ms, unnest($14::real[]) AS movements, unnest($15::float8[]) AS movements_ms,
      unnest($16::real[]) AS button, unnest($17::float8[]) AS button_ms
  ) AS c
  CROSS JOIN LATERAL (
    SELECT k.asset_id, k.tag_type, k.value
    FROM tags k
    WHERE k.id = c.tag_id
    AND k.org_id + 0 = c.org_id
    AND k.deleted_at IS NULL
    FOR KEY SHARE
  ) t
),
latest AS (
  INSERT INTO tag_telemetry AS m (org_id, tag_id, battery, battery_at, voltage, voltage_at, temperature, temperature_at, humidity,
    humidity_at, motion, motion_at, movements, movements_at, button, button_at)
  SELECT g.org_id, g.tag_id, g.battery, g.battery_at, g.voltage, g.voltage_at, g.temperature, g.temperature_at, g.humidity,
    g.humidity_at, g.motion, g.motion_at, g.movements, g.movements_at, g.button, g.button_at
  FROM given g
  LEFT JOIN tag_telemetry m ON m.tag_id = g.tag_id
  WHERE m.tag_id IS NULL OR (g.battery_at IS NOT NULL AND (m.battery_at IS NULL
    OR g.battery_at >= m.battery_at + interval '10 seconds' OR m.battery_at > clock_timestamp() + interval '10 seconds'))
    OR (g.voltage_at IS NOT NULL AND (m.voltage_at IS NULL OR g.voltage_at >= m.voltage_at + interval '10 seconds'
    OR m.voltage_at > clock_timestamp() + interval '10 seconds'))
    OR (g.temperature_at IS NOT NULL AND (m.temperature_at IS NULL
    OR g.temperature_at >= m.temperature_at + interval '10 seconds'
    OR m.temperature_at > clock_timestamp() + interval '10 seconds'))
    OR (g.humidity_at IS NOT NULL AND (m.humidity_at IS NULL OR g.humidity_at >= m.humidity_at + interval '10 seconds'
    OR m.humidity_at > clock_timestamp() + interval '10 seconds'))
    OR (g.motion_at IS NOT NULL AND (m.motion_at IS NULL OR g.motion_at >= m.motion_at + interval '10 seconds'
    OR m.motion_at > clock_timestamp() + interval '10 seconds'
    OR g.motion_at > m.motion_at AND g.motion <> m.motion))
    OR (g.movements_at IS NOT NULL AND (m.movements_at IS NULL
    OR g.movements_at >= m.movements_at + interval '10 seconds'
    OR m.movements_at > clock_timestamp() + interval '10 seconds'))
    OR (g.button_at IS NOT NULL AND (m.button_at IS NULL
    OR g.button_at >= m.button_at + interval '10 seconds'
    OR m.button_at > clock_timestamp() + interval '10 seconds'
    OR g.button_at > m.button_at AND g.button <> m.button))
  ORDER BY g.tag_id ON CONFLICT (tag_id) DO UPDATE
  SET battery = CASE WHEN (excluded.battery_at IS NOT NULL AND (m.battery_at IS NULL
    OR excluded.battery_at >= m.battery_at + interval '10 seconds'
    OR m.battery_at > clock_timestamp() + interval '10 seconds')) THEN excluded.battery ELSE m.battery END, battery_at = CASE
    WHEN (excluded.battery_at IS NOT NULL AND (m.battery_at IS NULL
    OR excluded.battery_at >= m.battery_at + interval '10 seconds'
    OR m.battery_at > clock_timestamp() + interval '10 seconds')) THEN excluded.battery_at ELSE m.battery_at END,
    voltage = CASE WHEN (excluded.voltage_at IS NOT NULL AND (m.voltage_at IS NULL
    OR excluded.voltage_at >= m.voltage_at + interval '10 seconds'
    OR m.voltage_at > clock_timestamp() + interval '10 seconds')) THEN excluded.voltage ELSE m.voltage END,
    voltage_at = CASE WHEN (excluded.voltage_at IS NOT NULL AND (m.voltage_at IS NULL
    OR excluded.voltage_at >= m.voltage_at + interval '10 seconds'
    OR m.voltage_at > clock_timestamp() + interval '10 seconds')) THEN excluded.voltage_at
    ELSE m.voltage_at END, temperature = CASE
    WHEN (excluded.temperature_at IS NOT NULL AND (m.temperature_at IS NULL
    OR excluded.temperature_at >= m.temperature_at + interval '10 seconds'
    OR m.temperature_at > clock_timestamp() + interval '10 seconds')) THEN excluded.temperature
    ELSE m.temperature END, temperature_at = CASE
    WHEN (excluded.temperature_at IS NOT NULL AND (m.temperature_at IS NULL
    OR excluded.temperature_at >= m.temperature_at + interval '10 seconds'
    OR m.temperature_at > clock_timestamp() + interval '10 seconds')) THEN excluded.temperature_at ELSE m.temperature_at END, humidity = CASE WHEN (excluded.humidity_at IS NOT NULL AND (m.humidity_at IS NULL OR excluded.humidity_at >= m.humidity_at + interval '10 seconds' OR m.humidity_at > clock_timestamp() + interval '10 seconds')) THEN excluded.humidity ELSE m.humidity END, humidity_at = CASE WHEN (excluded.humidity_at IS NOT NULL AND (m.humidity_at IS NULL OR excluded.humidity_at >= m.humidity_at + interval '10 seconds' OR m.humidity_at > clock_timestamp() + interval '10 seconds')) THEN excluded.humidity_at ELSE m.humidity_at END, motion = CASE WHEN (excluded.motion_at IS NOT NULL AND (m.motion_at IS NULL OR excluded.motion_at >= m.motion_at + interval '10 seconds' OR m.motion_at > clock_timestamp() + interval '10 seconds' OR excluded.motion_at > m.motion_at AND excluded.motion <> m.motion)) THEN excluded.motion ELSE m.motion END, motion_at = CASE WHEN (excluded.motion_at IS NOT NULL AND (m.motion_at IS NULL OR excluded.motion_at >= m.motion_at + interval '10 seconds' OR m.motion_at > clock_timestamp() + interval '10 seconds' OR excluded.motion_at > m.motion_at AND excluded.motion <> m.motion)) THEN excluded.motion_at ELSE m.motion_at END, movements = CASE WHEN (excluded.movements_at IS NOT NULL AND (m.movements_at IS NULL OR excluded.movements_at >= m.movements_at + interval '10 seconds' OR m.movements_at > clock_timestamp() + interval '10 seconds')) THEN excluded.movements ELSE m.movements END, movements_at = CASE WHEN (excluded.movements_at IS NOT NULL AND (m.movements_at IS NULL OR excluded.movements_at >= m.movements_at + interval '10 seconds' OR m.movements_at > clock_timestamp() + interval '10 seconds')) THEN excluded.movements_at ELSE m.movements_at END, button = CASE WHEN (excluded.button_at IS NOT NULL AND (m.button_at IS NULL OR excluded.button_at >= m.button_at + interval '10 seconds' OR m.button_at > clock_timestamp() + interval '10 seconds' OR excluded.button_at > m.button_at AND excluded.button <> m.button)) THEN excluded.button ELSE m.button END, button_at = CASE WHEN (excluded.button_at IS NOT NULL AND (m.button_at IS NULL OR excluded.button_at >= m.button_at + interval '10 seconds' OR m.button_at > clock_timestamp() + interval '10 seconds' OR excluded.button_at > m.button_at AND excluded.button <> m.button)) THEN excluded.button_at ELSE m.button_at END
  RETURNING m.tag_id, m.button, m.button_at
),
hour AS (
  INSERT INTO tag_telemetry_hours AS h (org_id, tag_id, hour, battery, voltage, temperature, humidity)
  SELECT c.org_id, c.tag_id, to_timestamp(c.hour_ms / 1000), c.battery, c.voltage, c.temperature, c.humidity
  FROM (
    SELECT unnest($18::int[]) AS org_id, unnest($19::int[]) AS tag_id, unnest($20::float8[]) AS hour_ms,
      unnest($21::real[]) AS battery, unnest($22::float8[]) AS battery_ms, unnest($23::real[]) AS voltage,
      unnest($24::float8[]) AS voltage_ms, unnest($25::real[]) AS temperature, unnest($26::float8[]) AS temperature_ms,
      unnest($27::real[]) AS humidity, unnest($28::float8[]) AS humidity_ms
  ) AS c
  JOIN given g ON g.tag_id = c.tag_id
  LEFT JOIN tag_telemetry_hours h ON h.tag_id = c.tag_id
  AND h.hour = to_timestamp(c.hour_ms / 1000)
  WHERE to_timestamp(c.hour_ms / 1000) > now() - interval '30 days'
  AND (c.battery IS NOT NULL AND h.battery IS NULL OR c.voltage IS NOT NULL AND h.voltage IS NULL
    OR c.temperature IS NOT NULL AND h.temperature IS NULL OR c.humidity IS NOT NULL AND h.humidity IS NULL)
  ORDER BY c.tag_id, c.hour_ms ON CONFLICT (tag_id, hour) DO UPDATE
  SET battery = coalesce(h.battery, excluded.battery), voltage = coalesce(h.voltage, excluded.voltage),
    temperature = coalesce(h.temperature, excluded.temperature), humidity = coalesce(h.humidity, excluded.humidity)
),
pressed AS (
  INSERT INTO outbox_events (org_id, key, type, occurred_at, asset_id, location_id, data)
  SELECT g.org_id, md5(concat_ws(' ', 'asset.button_pressed', g.tag_id, extract(epoch FROM g.button_at)))::uuid,
    'asset.button_pressed', g.button_at, g.asset_id, p.location_id, json_build_object('tag_type', g.tag_type, 'value', g.value,
    'press', g.button)
  FROM latest l
  JOIN given g ON g.tag_id = l.tag_id
  AND g.button_at = l.button_at
  LEFT JOIN asset_positions p ON p.org_id = g.org_id
  AND p.asset_id = g.asset_id
  WHERE g.reports_press = 1
  RETURNING 1
)
SELECT (graphile_worker.add_job('route_events')).id::float8
WHERE EXISTS (SELECT FROM pressed);

-- name: removeOldTelemetry
DELETE FROM tag_telemetry_hours
WHERE hour < now() - make_interval(days => $1::int);
