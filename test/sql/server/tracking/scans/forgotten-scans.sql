-- name: removeSurplusSubmissions
DELETE FROM scan_submissions
WHERE
  org_id = $1::int
  AND submission_id IN (
    SELECT
      s.submission_id
    FROM
      scan_submissions s
    WHERE
      s.org_id = $2::int
    ORDER BY
      s.created_at,
      s.submission_id
    LIMIT
      (
        SELECT
          CASE
            WHEN count(*) > $3::int THEN count(*) - $4::int
            ELSE 0
          END
        FROM
          scan_submissions
        WHERE
          org_id = $5::int
      )
    FOR UPDATE
      SKIP LOCKED
  );
-- plan:
--   ModifyTable scan_submissions
--     Nested Loop
--       Aggregate
--         Subquery Scan
--           Limit
--             InitPlan 1: Aggregate
--               Bitmap Heap Scan scan_submissions
--                 Bitmap Index Scan by scan_submissions_pkey
--             LockRows
--               Sort
--                 Bitmap Heap Scan scan_submissions
--                   Bitmap Index Scan by scan_submissions_pkey
--       Index Scan scan_submissions by scan_submissions_pkey

-- name: removeAllSurplusSubmissions
SELECT
  org_id
FROM
  scan_submissions
GROUP BY
  org_id
HAVING
  count(*) > $1::int;
-- plan:
--   Aggregate
--     Index Only Scan scan_submissions by scan_submissions_pkey (whole)

-- name: removeForgottenScans
DELETE FROM unknown_tags
WHERE
  last_seen < now() - make_interval(days => $1::int)
  OR count = 1
  AND last_seen < now() - make_interval(days => $2::int);
-- plan:
--   ModifyTable unknown_tags
--     Bitmap Heap Scan unknown_tags
--       BitmapOr
--         Bitmap Index Scan by unknown_tags_org_id_last_seen_id_idx
--         Bitmap Index Scan by unknown_tags_org_id_last_seen_id_idx

-- name: removeForgottenScans
DELETE FROM scan_submissions
WHERE
  created_at < now() - make_interval(days => $1::int);
-- plan:
--   ModifyTable scan_submissions
--     Index Scan scan_submissions by scan_submissions_created_at_idx
