-- name: openAlerts
INSERT INTO alerts (org_id, rule_id, rule_name, event_key, event_type, subject, asset_id, location_id, location_ids, reader_id,
  data, in_app, is_condition, opened_at)
SELECT g.org_id, g.rule_id, g.rule_name, g.event_key, g.event_type, g.subject, g.asset_id, g.location_id, g.location_ids::int[],
  g.reader_id, g.data::json, g.in_app, g.is_condition, date_trunc('milliseconds', clock_timestamp())
FROM unnest($1::int[], $2::int[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::int[], $8::int[], $9::text[], $10::int[],
  $11::text[], $12::bool[], $13::bool[]) WITH ORDINALITY AS g (org_id, rule_id, rule_name, event_key, event_type, subject,
  asset_id, location_id, location_ids, reader_id, data, in_app, is_condition,
  no) -- Rules that were deleted meanwhile are skipped.
JOIN alert_rules r ON r.org_id = g.org_id
AND r.id = g.rule_id
AND r.deleted_at IS NULL
ORDER BY g.no ON CONFLICT DO NOTHING
RETURNING id::float8 AS id, rule_id, event_key;

-- name: outsideQuietTime
SELECT g.rule_id, g.subject
FROM (
  SELECT DISTINCT *
  FROM unnest($1::int[], $2::text[], $3::int[]) AS u (rule_id, subject, quiet_seconds)
) g
WHERE EXISTS (
  SELECT
  FROM alerts a
  WHERE a.rule_id = g.rule_id
  AND a.subject = g.subject
  AND a.opened_at > now() - make_interval(secs => g.quiet_seconds)
);
