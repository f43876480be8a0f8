-- name: insertAudit
INSERT INTO audits (org_id, id, location_id, started_at, saved_at, saved_by, found, missing, unexpected, unassigned)
VALUES ($1::int, $2, $3::int, to_timestamp($4::float8 / 1000), date_trunc('milliseconds', clock_timestamp()), $5::int, 0, 0, 0, 0);

-- name: insertAudit
WITH seen AS (SELECT DISTINCT g.id FROM unnest($1::int[]) AS g (id)),
  expected AS (SELECT DISTINCT g.id FROM unnest($2::int[]) AS g (id)), judged AS (
  SELECT coalesce(e.id, s.id) AS asset_id, CASE WHEN e.id IS NULL THEN 'unexpected' WHEN s.id IS NULL THEN 'missing'
    ELSE 'found' END AS outcome
  FROM expected e
  FULL JOIN seen s ON s.id = e.id
),
item AS (
  SELECT j.outcome, a.id AS asset_id, a.name, a.external_key, p.location_id, l.name AS location_name, (
    SELECT CASE WHEN count(*) = 0 THEN p.asset_last_seen ELSE min(w.seen_before) END
    FROM asset_placements w
    WHERE w.org_id = $3
    AND w.asset_id = p.asset_id
    AND w.placed_at = p.asset_last_seen
  ) AS asset_last_seen
  FROM judged j
  JOIN assets a ON a.org_id = $4
  AND a.id = j.asset_id
  AND a.deleted_at IS NULL
  LEFT JOIN asset_positions p ON p.org_id = $5
  AND p.asset_id = a.id
  LEFT JOIN locations l ON l.org_id = $6
  AND l.id = p.location_id
  UNION ALL SELECT DISTINCT 'unassigned', NULL::int, g.value COLLATE "C", NULL, NULL::int, NULL, NULL::timestamptz
  FROM unnest($7::text[]) AS g (value)
),
inserted AS (
  INSERT INTO audit_items (org_id, audit_id, position, outcome, asset_id, name, external_key, last_location_id, last_location_name,
    last_seen_at)
  SELECT $8::int, $9, row_number() OVER (ORDER BY array_position(ARRAY['missing', 'unexpected', 'unassigned', 'found'], i.outcome),
    i.name COLLATE natural_order, i.asset_id), i.outcome, i.asset_id, i.name, i.external_key, i.location_id, i.location_name,
    i.asset_last_seen
  FROM item i
  RETURNING outcome
)
SELECT count(*) FILTER (WHERE outcome = 'found')::int AS found, count(*) FILTER (WHERE outcome = 'missing')::int AS missing,
  count(*) FILTER (WHERE outcome = 'unexpected')::int AS unexpected,
  count(*) FILTER (WHERE outcome = 'unassigned')::int AS unassigned
FROM inserted;

-- name: insertAudit
-- further: 16706b006f

-- name: removeSurplusAudits
DELETE FROM audits a USING (
  SELECT o.id, row_number() OVER newest AS ordinal, sum(o.found + o.missing + o.unexpected + o.unassigned) OVER newest AS items
  FROM audits o
  WHERE o.org_id = $1
  WINDOW newest AS (ORDER BY o.saved_at DESC, o.id DESC)
) kept
WHERE a.org_id = $2
AND a.id = kept.id
AND kept.ordinal > 1
AND (kept.ordinal > $3::int OR kept.items > $4::int);
