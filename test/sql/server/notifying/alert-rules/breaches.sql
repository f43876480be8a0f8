-- name: updateBreaches
WITH given AS MATERIALIZED (SELECT * FROM (SELECT unnest($1::int[]) AS org_id, unnest($2::int[]) AS tag_id) AS c),
  rule AS MATERIALIZED (
  SELECT r.id, r.org_id, r.event_type, (r.condition ->> 'threshold')::float8 AS threshold
  FROM alert_rules r
  WHERE r.org_id IN (SELECT org_id FROM given)
  AND r.is_enabled
  AND r.event_type IN ('asset.battery_low', 'asset.temperature_high', 'asset.temperature_low')
  FOR KEY SHARE
),
state AS MATERIALIZED (
  SELECT r.id AS rule_id, m.org_id, m.tag_id, CASE r.event_type WHEN 'asset.battery_low' THEN m.battery < r.threshold
    WHEN 'asset.temperature_high' THEN m.temperature > r.threshold ELSE m.temperature < r.threshold END AS holds,
    CASE r.event_type WHEN 'asset.battery_low' THEN m.battery_at ELSE m.temperature_at END AS at
  FROM given c
  JOIN rule r ON r.org_id = c.org_id
  JOIN tag_telemetry m ON m.tag_id = c.tag_id
  AND m.org_id = c.org_id
),
ended AS (
  DELETE FROM telemetry_breaches b USING state s
  WHERE b.rule_id = s.rule_id
  AND b.tag_id = s.tag_id
  AND NOT s.holds
) INSERT INTO telemetry_breaches (org_id, rule_id, tag_id, since)
SELECT s.org_id, s.rule_id, s.tag_id, s.at
FROM state s
WHERE s.holds
ORDER BY s.tag_id, s.rule_id ON CONFLICT DO NOTHING;

-- name: fillBreaches
WITH rule AS MATERIALIZED (
  SELECT r.id, r.org_id, r.event_type, (r.condition ->> 'threshold')::float8 AS threshold
  FROM alert_rules r
  WHERE r.org_id = $1::int
  AND r.id = $2::int
  AND r.is_enabled
  AND r.event_type IN ('asset.battery_low', 'asset.temperature_high', 'asset.temperature_low')
  FOR KEY SHARE
),
state AS MATERIALIZED (
  SELECT r.id AS rule_id, m.org_id, m.tag_id, CASE r.event_type WHEN 'asset.battery_low' THEN m.battery < r.threshold
    WHEN 'asset.temperature_high' THEN m.temperature > r.threshold ELSE m.temperature < r.threshold END AS holds,
    CASE r.event_type WHEN 'asset.battery_low' THEN m.battery_at ELSE m.temperature_at END AS at
  FROM rule r
  JOIN tag_telemetry m ON m.org_id = r.org_id
) INSERT INTO telemetry_breaches (org_id, rule_id, tag_id, since)
SELECT s.org_id, s.rule_id, s.tag_id, s.at
FROM state s
WHERE s.holds
ORDER BY s.tag_id, s.rule_id ON CONFLICT DO NOTHING;
