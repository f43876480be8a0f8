-- name: queueDue
SELECT d.id
FROM (
  SELECT s.id, s.due_at, row_number() OVER (PARTITION BY s.org_id ORDER BY s.due_at, s.id) AS no
  FROM scheduled_emails s
  WHERE s.due_at <= clock_timestamp()
  AND NOT s.is_paused
  AND EXISTS (
    SELECT
    FROM users u
    JOIN memberships m ON m.user_id = u.id
    WHERE u.id = s.user_id
    AND u.email_proven_at IS NOT NULL
    AND m.org_id = s.org_id
    AND NOT m.precedes_proof
  )
  AND NOT EXISTS (
    SELECT
    FROM saved_views d
    WHERE d.org_id = s.org_id
    AND d.id = s.view_id
    AND d.deleted_at IS NOT NULL
  )
) d
WHERE d.no <= $1::int
ORDER BY d.no, d.due_at
LIMIT $2::int;

-- name: claimEmail
WITH c AS (
  UPDATE scheduled_emails s
  SET due_at = date_trunc('milliseconds', clock_timestamp()) + make_interval(mins => $1::int), tries = s.tries + 1
  WHERE s.id = $2::int
  AND s.due_at <= clock_timestamp()
  AND NOT s.is_paused
  AND EXISTS (
    SELECT
    FROM users u
    JOIN memberships m ON m.user_id = u.id
    WHERE u.id = s.user_id
    AND u.email_proven_at IS NOT NULL
    AND m.org_id = s.org_id
    AND NOT m.precedes_proof
  )
  AND NOT EXISTS (
    SELECT
    FROM saved_views d
    WHERE d.org_id = s.org_id
    AND d.id = s.view_id
    AND d.deleted_at IS NOT NULL
  )
  RETURNING s.*
)
SELECT c.id, c.org_id, c.user_id, o.name AS org_name, u.email, m.role, v.name AS view_name, v.query AS view_query, c.report,
  c.format, b.name AS sender, round(date_part('epoch', c.scheduled_for) * 1000) AS scheduled_for, c.tries, round(date_part('epoch',
  c.due_at) * 1000) AS due_at, c.frequency, c.day, c.hour, c.time_zone AS schedule_zone, coalesce(u.time_zone,
  u.device_time_zone) AS time_zone, u.locale, u.hour_cycle, coalesce(u.language, u.device_language) AS language
FROM c
JOIN memberships m ON m.org_id = c.org_id
AND m.user_id = c.user_id
JOIN users u ON u.id = c.user_id
JOIN organizations o ON o.id = c.org_id
LEFT JOIN scheduled_emails l ON l.org_id = c.org_id
AND l.id = c.lead_id
LEFT JOIN users b ON b.id = l.user_id
LEFT JOIN saved_views v ON v.org_id = c.org_id
AND v.id = c.view_id
AND (v.owner_id IS NULL OR v.owner_id IN (c.user_id, l.user_id));

-- name: holdsLease
SELECT id
FROM scheduled_emails
WHERE org_id = $1::int
AND id = $2::int
AND due_at = to_timestamp($3::float8 / 1000)
AND NOT is_paused
AND due_at > clock_timestamp() + interval '2 minutes';

-- name: finishEmail
UPDATE scheduled_emails
SET scheduled_for = n.at, due_at = n.at, tries = 0, last_sent_at = CASE WHEN $1::bool THEN date_trunc('milliseconds',
  clock_timestamp()) ELSE last_sent_at END
FROM (
  SELECT (
    SELECT min(c.at)
    FROM (
      SELECT d.day, (d.day + make_interval(hours => $2::int)) AT TIME ZONE $3::text AS at
      FROM generate_series(date_trunc('day', date_trunc('milliseconds', clock_timestamp()) AT TIME ZONE $4::text),
        date_trunc('day', date_trunc('milliseconds', clock_timestamp()) AT TIME ZONE $5::text) + interval '62 days',
        interval '1 day') AS d (day)
    ) c
    WHERE c.at > date_trunc('milliseconds', clock_timestamp())
    AND CASE $6::text WHEN 'weekly' THEN to_char(c.day, 'ID')::int = $7::int
      WHEN 'monthly' THEN extract(day FROM c.day) = least($8::int, extract(day FROM date_trunc('month',
      c.day) + interval '1 month' - interval '1 day')) ELSE true END
  ) AS at
) n
WHERE org_id = $9::int
AND id = $10::int
AND due_at = to_timestamp($11::float8 / 1000);

-- name: retryEmail
UPDATE scheduled_emails
SET due_at = date_trunc('milliseconds', clock_timestamp()) + make_interval(mins => $1::int), tries = 0
WHERE org_id = $2::int
AND id = $3::int
AND due_at = to_timestamp($4::float8 / 1000);

-- name: stopEmail
UPDATE scheduled_emails
SET is_paused = true
WHERE org_id = $1::int
AND id = $2::int
AND due_at = to_timestamp($3::float8 / 1000);

-- name: periodOf
SELECT round(date_part('epoch', p.from_at) * 1000) AS from, round(date_part('epoch', p.until_at) * 1000) AS until,
  to_char(p.today - p.days, 'YYYY-MM-DD') AS from_day, to_char(p.today - interval '1 day', 'YYYY-MM-DD') AS to_day
FROM (
  SELECT t.*, (t.today - t.days) AT TIME ZONE $1::text AS from_at, t.today AT TIME ZONE $2::text AS until_at
  FROM (
    SELECT date_trunc('day', clock_timestamp() AT TIME ZONE $3::text) AS today, make_interval(days => $4::int) AS days
  ) t
) p;
