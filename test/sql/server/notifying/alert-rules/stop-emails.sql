-- name: stopAlertEmails
UPDATE alert_rules
SET email_user_ids = array_remove(email_user_ids, $1::int), updated_at = greatest(date_trunc('milliseconds', clock_timestamp()),
  updated_at + interval '1 millisecond')
WHERE org_id = $2::int
AND id = $3::int;

-- name: stopAlertEmails
DELETE FROM alert_emails e USING alerts a
WHERE e.org_id = $1::int
AND e.user_id = $2::int
AND a.id = e.alert_id
AND a.rule_id = ANY($3::int[]);
