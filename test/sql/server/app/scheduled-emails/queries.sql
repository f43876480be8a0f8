-- name: findScheduled
SELECT s.id, CASE WHEN v.id IS NOT NULL THEN json_build_object('id', v.id, 'name', v.name, 'query', v.query) END AS view, s.report,
  s.format, s.frequency, s.day, s.hour, s.time_zone, s.is_paused, api_timestamp(s.last_sent_at) AS last_sent_at, b.name AS sender,
  (
  SELECT coalesce(json_agg(json_build_object('user_id', r.user_id, 'name', u.name, 'is_paused',
    r.is_paused) ORDER BY u.name COLLATE natural_order, r.user_id), '[]')
  FROM scheduled_emails r
  JOIN users u ON u.id = r.user_id
  WHERE r.org_id = s.org_id
  AND r.lead_id = s.id
) AS recipients
FROM scheduled_emails s
LEFT JOIN scheduled_emails l ON l.org_id = s.org_id
AND l.id = s.lead_id
LEFT JOIN users b ON b.id = l.user_id
LEFT JOIN saved_views v ON v.org_id = s.org_id
AND v.id = s.view_id
WHERE s.org_id = $1::int
AND s.user_id = $2::int
AND v.deleted_at IS NULL
ORDER BY s.id DESC;

-- name: countScheduled
SELECT count(*)::int AS all, count(*) FILTER (WHERE user_id = $1::int AND lead_id IS NULL)::int AS own
FROM scheduled_emails
WHERE org_id = $2::int;

-- name: insertScheduled
INSERT INTO scheduled_emails (org_id, user_id, view_id, report, format, frequency, day, hour, time_zone, scheduled_for, due_at)
SELECT $1::int, $2::int, $3::int, $4::json, $5, $6, $7::int, $8::int, $9, n.at, n.at
FROM (
  SELECT (
    SELECT min(c.at)
    FROM (
      SELECT d.day, (d.day + make_interval(hours => $10::int)) AT TIME ZONE $11::text AS at
      FROM generate_series(date_trunc('day', date_trunc('milliseconds', clock_timestamp()) AT TIME ZONE $12::text),
        date_trunc('day', date_trunc('milliseconds', clock_timestamp()) AT TIME ZONE $13::text) + interval '62 days',
        interval '1 day') AS d (day)
    ) c
    WHERE c.at > date_trunc('milliseconds', clock_timestamp())
    AND CASE $14::text WHEN 'weekly' THEN to_char(c.day, 'ID')::int = $15::int
      WHEN 'monthly' THEN extract(day FROM c.day) = least($16::int, extract(day FROM date_trunc('month',
      c.day) + interval '1 month' - interval '1 day')) ELSE true END
  ) AS at
) n
RETURNING id;

-- name: setRecipients
DELETE FROM scheduled_emails
WHERE org_id = $1::int
AND lead_id = $2::int
AND user_id <> ALL ($3::int[]);

-- name: setRecipients
INSERT INTO scheduled_emails (org_id, user_id, lead_id, view_id, report, format, frequency, day, hour, time_zone, scheduled_for,
  due_at)
SELECT s.org_id, m.user_id, s.id, s.view_id, s.report, s.format, s.frequency, s.day, s.hour, s.time_zone, n.at, n.at
FROM scheduled_emails s
JOIN memberships m ON m.org_id = s.org_id
AND m.user_id = ANY($1::int[])
AND m.user_id <> s.user_id
CROSS JOIN (
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
WHERE s.org_id = $9::int
AND s.id = $10::int ON CONFLICT (lead_id, user_id) DO NOTHING;

-- name: makeDue
UPDATE scheduled_emails s
SET scheduled_for = date_trunc('milliseconds', clock_timestamp()), due_at = date_trunc('milliseconds', clock_timestamp())
WHERE s.org_id = $1::int
AND (s.id = $2::int OR s.lead_id = $3::int)
AND EXISTS (
  SELECT
  FROM scheduled_emails o
  WHERE o.org_id = $4::int
  AND o.id = $5::int
  AND o.user_id = $6::int
)
AND NOT s.is_paused
AND s.tries = 0
AND s.last_sent_at + make_interval(secs => $7::int) > clock_timestamp() IS NOT TRUE;

-- name: lockScheduled
SELECT frequency, day, hour, time_zone, lead_id
FROM scheduled_emails
WHERE org_id = $1::int
AND user_id = $2::int
AND id = $3::int
FOR UPDATE;

-- name: pauseScheduled
UPDATE scheduled_emails
SET is_paused = true
WHERE org_id = $1::int
AND id = $2::int;

-- name: deleteScheduled
DELETE FROM scheduled_emails s USING scheduled_emails o
WHERE o.org_id = $1::int
AND o.user_id = $2::int
AND o.id = $3::int
AND s.org_id = o.org_id
AND (s.id = o.id OR s.lead_id = o.id);

-- name: keepView
SELECT id
FROM saved_views
WHERE org_id = $1::int
AND id = $2::int
AND deleted_at IS NULL
AND (owner_id IS NULL OR owner_id = $3::int)
FOR SHARE;
