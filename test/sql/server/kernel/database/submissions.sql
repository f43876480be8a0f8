-- name: claimSubmission
INSERT INTO scan_submissions (org_id, submission_id, results)
VALUES ($1::int, $2, '[]') ON CONFLICT (org_id, submission_id) DO NOTHING;

-- name: findSubmissionResults
SELECT results
FROM scan_submissions
WHERE org_id = $1
AND submission_id = $2;

-- name: saveSubmissionResults
UPDATE scan_submissions
SET results = $1::jsonb
WHERE org_id = $2
AND submission_id = $3;
