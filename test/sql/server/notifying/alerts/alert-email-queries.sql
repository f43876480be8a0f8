-- name: queueAlertEmails
INSERT INTO alert_emails (org_id, user_id, alert_id, due_at, by_push)
SELECT g.org_id, g.user_id, g.alert_id, to_timestamp(g.due / 1000), g.by_push
FROM (
  SELECT u.*, row_number() OVER (PARTITION BY u.org_id, u.user_id, u.by_push ORDER BY u.alert_id) AS no
  FROM unnest($1::int[], $2::int[], $3::int8[], $4::float8[], $5::bool[]) AS u (org_id, user_id, alert_id, due, by_push)
) g
JOIN memberships m ON m.org_id = g.org_id
AND m.user_id = g.user_id
WHERE g.no + (
  SELECT count(*)
  FROM (
    SELECT
    FROM alert_emails w
    WHERE w.user_id = g.user_id
    AND w.org_id = g.org_id
    AND w.by_push = g.by_push
    LIMIT $6::int
  ) waiting
) <= $7::int;

-- name: sendWaitingAlerts
SELECT DISTINCT org_id
FROM alert_emails
WHERE user_id = $1::int
AND NOT by_push;

-- name: findDueAlerts
SELECT e.id::float8 AS id, a.rule_id, a.rule_name, a.event_type, a.data, round(date_part('epoch',
  a.opened_at) * 1000) AS opened_at, round(date_part('epoch', e.due_at) * 1000) AS due_at, a.id::float8 AS alert_id, a.asset_id,
  a.location_id, a.reader_id
FROM alert_emails e
JOIN alerts a ON a.id = e.alert_id
WHERE e.user_id = $1::int
AND e.org_id = $2::int
AND e.by_push = $3::bool
AND e.due_at <= clock_timestamp()
ORDER BY e.due_at, e.id
LIMIT $4::int;

-- name: removeAlertEmails
DELETE FROM alert_emails
WHERE id = ANY($1::int8[]);

-- name: findRecipient
SELECT u.email, o.name AS org_name, u.email_proven_at IS NOT NULL
AND NOT m.precedes_proof AS is_reachable, coalesce(u.time_zone, u.device_time_zone) AS time_zone, u.locale, u.hour_cycle,
  coalesce(u.language, u.device_language) AS language
FROM memberships m
JOIN users u ON u.id = m.user_id
JOIN organizations o ON o.id = m.org_id
WHERE m.org_id = $1::int
AND m.user_id = $2::int;
