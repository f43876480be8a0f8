-- name: findScheduled
SELECT
  s.id,
  s.view_id,
  v.name AS view_name,
  v.query AS view_query,
  s.report,
  s.format,
  s.frequency,
  s.day,
  s.hour,
  s.time_zone,
  s.is_paused,
  s.unopened,
  round(date_part('epoch', s.scheduled_for) * 1000) AS next_at,
  round(date_part('epoch', s.last_sent_at) * 1000) AS last_sent_at
FROM
  scheduled_emails s
  LEFT JOIN saved_views v ON v.org_id = s.org_id
  AND v.id = s.view_id
WHERE
  s.org_id = $1::int
  AND s.user_id = $2::int
ORDER BY
  s.id DESC;
-- plan:
--   Sort
--     Nested Loop
--       Index Scan scheduled_emails by scheduled_emails_person
--       Index Scan saved_views by saved_views_org_id_id_key

-- name: countScheduled
SELECT
  count(*)::int AS all,
  count(*) FILTER (
    WHERE
      user_id = $1::int
  )::int AS own
FROM
  scheduled_emails
WHERE
  org_id = $2::int;
-- plan:
--   Aggregate
--     Bitmap Heap Scan scheduled_emails
--       Bitmap Index Scan by scheduled_emails_view

-- name: insertScheduled
INSERT INTO
  scheduled_emails (org_id, user_id, view_id, report, format, frequency, day, hour, time_zone, scheduled_for, due_at)
SELECT
  $1::int,
  $2::int,
  $3::int,
  $4::json,
  $5,
  $6,
  $7::int,
  $8::int,
  $9,
  n.at,
  n.at
FROM
  (
    SELECT
      (
        SELECT
          min(c.at)
        FROM
          (
            SELECT
              d.day,
              (d.day + make_interval(hours => $10::int)) AT TIME ZONE $11::text AS at
            FROM
              generate_series(
                date_trunc('day', date_trunc('milliseconds', clock_timestamp()) AT TIME ZONE $12::text),
                date_trunc('day', date_trunc('milliseconds', clock_timestamp()) AT TIME ZONE $13::text) + interval '62 days',
                interval '1 day'
              ) AS d (day)
          ) c
        WHERE
          c.at > date_trunc('milliseconds', clock_timestamp())
          AND CASE $14::text
            WHEN 'weekly' THEN to_char(c.day, 'ID')::int = $15::int
            WHEN 'monthly' THEN extract(
              day
              FROM
                c.day
            ) = least(
              $16::int,
              extract(
                day
                FROM
                  date_trunc('month', c.day) + interval '1 month' - interval '1 day'
              )
            )
            ELSE true
          END
      ) AS at
  ) n
RETURNING
  id;
-- plan:
--   ModifyTable scheduled_emails
--     Subquery Scan
--       Result
--         InitPlan 1: Aggregate
--           Function Scan

-- name: lockScheduled
SELECT
  frequency,
  day,
  hour,
  time_zone
FROM
  scheduled_emails
WHERE
  org_id = $1::int
  AND user_id = $2::int
  AND id = $3::int
FOR UPDATE;
-- plan:
--   LockRows
--     Index Scan scheduled_emails by scheduled_emails_person

-- name: resumeScheduled
UPDATE scheduled_emails
SET
  is_paused = false,
  unopened = 0,
  tries = 0,
  scheduled_for = n.at,
  due_at = n.at
FROM
  (
    SELECT
      (
        SELECT
          min(c.at)
        FROM
          (
            SELECT
              d.day,
              (d.day + make_interval(hours => $1::int)) AT TIME ZONE $2::text AS at
            FROM
              generate_series(
                date_trunc('day', date_trunc('milliseconds', clock_timestamp()) AT TIME ZONE $3::text),
                date_trunc('day', date_trunc('milliseconds', clock_timestamp()) AT TIME ZONE $4::text) + interval '62 days',
                interval '1 day'
              ) AS d (day)
          ) c
        WHERE
          c.at > date_trunc('milliseconds', clock_timestamp())
          AND CASE $5::text
            WHEN 'weekly' THEN to_char(c.day, 'ID')::int = $6::int
            WHEN 'monthly' THEN extract(
              day
              FROM
                c.day
            ) = least(
              $7::int,
              extract(
                day
                FROM
                  date_trunc('month', c.day) + interval '1 month' - interval '1 day'
              )
            )
            ELSE true
          END
      ) AS at
  ) n
WHERE
  org_id = $8::int
  AND id = $9::int;
-- plan:
--   ModifyTable scheduled_emails
--     Nested Loop
--       Index Scan scheduled_emails by scheduled_emails_pkey
--       Subquery Scan
--         Result
--           InitPlan 1: Aggregate
--             Function Scan

-- name: pauseScheduled
UPDATE scheduled_emails
SET
  is_paused = true
WHERE
  org_id = $1::int
  AND id = $2::int;
-- plan:
--   ModifyTable scheduled_emails
--     Index Scan scheduled_emails by scheduled_emails_pkey

-- name: deleteScheduled
DELETE FROM scheduled_emails
WHERE
  org_id = $1::int
  AND user_id = $2::int
  AND id = $3::int;
-- plan:
--   ModifyTable scheduled_emails
--     Index Scan scheduled_emails by scheduled_emails_person

-- name: noteOpened
UPDATE scheduled_emails
SET
  unopened = 0
WHERE
  org_id = $1::int
  AND user_id = $2::int
  AND id = $3::int;
-- plan:
--   ModifyTable scheduled_emails
--     Index Scan scheduled_emails by scheduled_emails_person

-- name: keepView
SELECT
  id
FROM
  saved_views
WHERE
  org_id = $1::int
  AND id = $2::int
  AND (
    owner_id IS NULL
    OR owner_id = $3::int
  )
FOR KEY SHARE;
-- plan:
--   LockRows
--     Index Scan saved_views by saved_views_org_id_id_key
