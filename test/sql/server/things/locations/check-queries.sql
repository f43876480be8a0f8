-- name: addChecks
INSERT INTO location_checks AS c (org_id, day, location_id, shown_location_id, checks)
SELECT $1::int, today.day, $2::int, g.shown_location_id, g.checks
FROM (SELECT (statement_timestamp() AT TIME ZONE 'UTC')::date AS day) today, unnest($3::int[], $4::int[]) AS g (shown_location_id,
  checks)
WHERE (SELECT count(*) FROM location_checks k WHERE k.org_id = $5 AND k.day = today.day) < $6::int OR EXISTS (
  SELECT 1
  FROM location_checks k
  WHERE k.org_id = $7
  AND k.day = today.day
  AND k.location_id = $8
  AND k.shown_location_id = g.shown_location_id
)
ORDER BY g.shown_location_id ON CONFLICT (org_id, day, location_id, shown_location_id) DO UPDATE
SET checks = c.checks + EXCLUDED.checks;

-- name: removeOldChecks
DELETE FROM location_checks
WHERE day <= (statement_timestamp() AT TIME ZONE 'UTC')::date - $1::int;

-- name: readAccuracy
WITH counted AS MATERIALIZED (
  SELECT c.location_id, s.id AS shown_id, s.name AS shown_name, sum(c.checks)::int AS checks
  FROM location_checks c
  LEFT JOIN locations s ON s.org_id = $1
  AND s.id = c.shown_location_id
  AND s.deleted_at IS NULL
  WHERE c.org_id = $2
  AND c.day > (statement_timestamp() AT TIME ZONE 'UTC')::date - $3::int
  GROUP BY c.location_id, s.id, s.name
)
SELECT l.id, l.name, g.checks, g.right_checks, EXISTS (
  SELECT 1
  FROM readers r
  WHERE r.org_id = $4
  AND r.deleted_at IS NULL
  AND (r.location_id = l.id OR EXISTS (
    SELECT 1
    FROM reader_antennas a
    WHERE a.org_id = $5
    AND a.reader_id = r.id
    AND a.location_id = l.id
  ))
) AS has_antenna, (
  SELECT coalesce(json_agg(w ORDER BY w.checks DESC, w.id), '[]')
  FROM (
    SELECT c.shown_id AS id, c.shown_name AS name, c.checks, (
      SELECT coalesce(sum(b.checks), 0)::int
      FROM counted b
      WHERE b.location_id = c.shown_id
      AND b.shown_id = l.id
    ) AS reverse_checks
    FROM counted c
    WHERE c.location_id = l.id
    AND c.shown_id IS DISTINCT FROM l.id
    ORDER BY c.checks DESC, c.shown_id
    LIMIT $6::int
  ) w
) AS confusions
FROM (
  SELECT c.location_id, sum(c.checks)::int AS checks, coalesce(sum(c.checks) FILTER (WHERE c.shown_id = c.location_id),
    0)::int AS right_checks
  FROM counted c
  GROUP BY c.location_id
) g
JOIN locations l ON l.org_id = $7
AND l.id = g.location_id
AND l.deleted_at IS NULL
ORDER BY g.checks - g.right_checks DESC, g.checks DESC, l.id
LIMIT $8::int;

-- name: sumAccuracy
SELECT coalesce(sum(c.checks), 0)::int AS checks, coalesce(sum(c.checks) FILTER (WHERE c.shown_location_id = c.location_id),
  0)::int AS right_checks
FROM location_checks c
JOIN locations l ON l.org_id = $1
AND l.id = c.location_id
AND l.deleted_at IS NULL
WHERE c.org_id = $2
AND c.day > (statement_timestamp() AT TIME ZONE 'UTC')::date - $3::int;
