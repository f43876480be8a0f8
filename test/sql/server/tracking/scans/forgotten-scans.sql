-- name: removeSurplusSubmissions
DELETE FROM scan_submissions
WHERE org_id = $1::int
AND submission_id IN (
  SELECT s.submission_id
  FROM scan_submissions s
  WHERE s.org_id = $2::int
  ORDER BY s.created_at, s.submission_id
  LIMIT (
    SELECT CASE WHEN count(*) > $3::int THEN count(*) - $4::int ELSE 0 END
    FROM scan_submissions
    WHERE org_id = $5::int
  )
  FOR UPDATE SKIP LOCKED
);

-- name: removeAllSurplusSubmissions
SELECT org_id
FROM scan_submissions
GROUP BY org_id
HAVING count(*) > $1::int;

-- name: removeForgottenScans
DELETE FROM unknown_tags
WHERE last_seen < now() - make_interval(days => $1::int) OR count = 1
AND last_seen < now() - make_interval(days => $2::int);

-- name: removeForgottenScans
DELETE FROM scan_submissions
WHERE created_at < now() - make_interval(days => $1::int);
