-- name: findOpenProblems
SELECT q.id, q.text, api_timestamp(q.reported_at) AS reported_at, (SELECT json_build_object('id', u.id, 'name',
  u.name) FROM users u WHERE u.id = q.reported_by) AS reported_by
FROM asset_problems q
WHERE q.org_id = $1
AND q.asset_id = $2
AND q.resolved_at IS NULL
ORDER BY q.reported_at DESC, q.id DESC;

-- name: insertProblem
WITH reported AS (
  INSERT INTO asset_problems (org_id, asset_id, text, reported_at, reported_by)
  VALUES ($1::int, $2::int, $3, date_trunc('milliseconds', clock_timestamp()) - make_interval(secs => $4::float8 / 1000), $5::int)
  RETURNING id, org_id, asset_id, text, reported_at, reported_by
),
event AS (
  INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, location_id, data)
  SELECT q.org_id, 'asset.problem_reported', q.reported_at, q.asset_id, p.location_id, json_build_object('problem_id', q.id,
    'text', q.text, 'user_id', q.reported_by)
  FROM reported q
  JOIN event_interests i ON i.org_id = q.org_id
  AND 'asset.problem_reported' = ANY (i.types)
  LEFT JOIN asset_positions p ON p.org_id = q.org_id
  AND p.asset_id = q.asset_id
  RETURNING 1
)
SELECT q.id, (SELECT (graphile_worker.add_job('route_events')).id::float8 WHERE EXISTS (SELECT FROM event)) AS job
FROM reported q;

-- name: findProblem
SELECT q.text, q.reported_by, q.resolved_at IS NOT NULL AS is_resolved
FROM asset_problems q
WHERE q.org_id = $1
AND q.asset_id = $2
AND q.id = $3;

-- name: markProblem
UPDATE asset_problems
SET resolved_at = NULL
WHERE org_id = $1
AND id = $2;

-- name: markProblem
UPDATE asset_problems
SET resolved_at = date_trunc('milliseconds', clock_timestamp())
WHERE org_id = $1
AND id = $2;

-- name: removeResolved
DELETE FROM asset_problems
WHERE org_id = $1
AND id IN (
  SELECT q.id
  FROM asset_problems q
  WHERE q.org_id = $2
  AND q.asset_id = $3
  AND q.resolved_at IS NOT NULL
  ORDER BY q.resolved_at DESC, q.id DESC
  OFFSET $4::int
);

-- name: removeOldProblems
DELETE FROM asset_problems q USING (
  SELECT o.id
  FROM asset_problems o
  JOIN assets a ON a.org_id = o.org_id
  AND a.id = o.asset_id
  WHERE o.resolved_at <= clock_timestamp() - interval '1 day' OR a.deleted_at <= clock_timestamp() - interval '30 days'
  LIMIT $1::int
) gone
WHERE q.id = gone.id;
