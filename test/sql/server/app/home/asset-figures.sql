-- name: readAssetFigures
WITH outside AS MATERIALIZED (
  SELECT o.asset_id, o.located_since, o.asset_last_seen
  FROM asset_positions o
  WHERE o.org_id = $1
  AND o.asset_id = ANY(ARRAY(
    SELECT w.id
    FROM assets w
    WHERE w.org_id = $2
    AND w.deleted_at IS NULL
    AND NOT w.is_expired
    AND w.valid_from > statement_timestamp()
    UNION ALL SELECT w.id
    FROM assets w
    WHERE w.org_id = $3
    AND w.deleted_at IS NULL
    AND NOT w.is_expired
    AND w.valid_to <= statement_timestamp()
    AND w.valid_from <= statement_timestamp()
  ))
),
placed AS MATERIALIZED (
  SELECT p.asset_last_seen, w.seen_before
  FROM asset_placements w
  JOIN asset_positions p ON p.org_id = w.org_id
  AND p.asset_id = w.asset_id
  AND p.asset_last_seen = w.placed_at
  WHERE w.org_id = $4
  AND p.hidden_by IN (0, 2)
  AND p.hidden_by = 0
  AND p.asset_id NOT IN (SELECT asset_id FROM outside)
)
SELECT ((
  SELECT coalesce(sum(n), 0)::float8
  FROM row_counts
  WHERE org_id = $5
  AND kind = $6
  AND NOT is_expired
  AND NOT is_deleted
) - ((
  SELECT count(*)
  FROM assets r
  WHERE org_id = $7
  AND deleted_at IS NULL
  AND NOT r.is_expired
  AND r.valid_from > statement_timestamp()
) + (
  SELECT count(*)
  FROM assets r
  WHERE org_id = $8
  AND deleted_at IS NULL
  AND NOT r.is_expired
  AND r.valid_to <= statement_timestamp()
  AND r.valid_from <= statement_timestamp()
))) AS total, (
  SELECT coalesce(sum(n), 0)::float8
  FROM row_counts
  WHERE org_id = $9
  AND kind = $10
  AND NOT is_expired
  AND NOT is_deleted
) - (SELECT count(*) FROM outside) - (SELECT count(*) FROM placed WHERE seen_before IS NULL) AS seen, ((
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $11
  AND p.hidden_by = 0
  AND located_since >= to_timestamp($12::float8 / 1000)
) - (SELECT count(*) FROM outside WHERE located_since >= to_timestamp($13::float8 / 1000)))::float8 - (
  SELECT count(*)
  FROM asset_placements w
  JOIN asset_positions p ON p.org_id = w.org_id
  AND p.asset_id = w.asset_id
  AND p.located_since = w.placed_at
  WHERE w.org_id = $14
  AND w.placed_at >= to_timestamp($15::float8 / 1000)
  AND p.hidden_by = 0
  AND p.asset_id NOT IN (SELECT asset_id FROM outside)
) AS moved_today, (((
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $16
  AND p.hidden_by = 0
  AND p.listed_at >= (statement_timestamp() - make_interval(days => $17::int))
) + (
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $18
  AND p.hidden_by = 0
  AND p.listed_at >= (statement_timestamp() - make_interval(days => $19::int)) - interval '2 seconds'
  AND p.listed_at < (statement_timestamp() - make_interval(days => $20::int))
  AND p.asset_last_seen >= (statement_timestamp() - make_interval(days => $21::int))
) - (
  SELECT count(*)
  FROM outside
  WHERE asset_last_seen >= (statement_timestamp() - make_interval(days => $22::int))
))::float8 + (
  SELECT count(*) FILTER (WHERE seen_before >= (statement_timestamp() - make_interval(days => $23::int))) - count(*) FILTER (WHERE asset_last_seen >= (statement_timestamp() - make_interval(days => $24::int)))
  FROM placed
)) AS seen_24h, (((
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $25
  AND p.hidden_by = 0
  AND p.listed_at >= (statement_timestamp() - make_interval(days => $26::int))
  AND p.listed_at < (statement_timestamp() - make_interval(days => $27::int))
) + (
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $28
  AND p.hidden_by = 0
  AND p.listed_at >= (statement_timestamp() - make_interval(days => $29::int)) - interval '2 seconds'
  AND p.listed_at < (statement_timestamp() - make_interval(days => $30::int))
  AND p.asset_last_seen >= (statement_timestamp() - make_interval(days => $31::int))
) - (
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $32
  AND p.hidden_by = 0
  AND p.listed_at >= (statement_timestamp() - make_interval(days => $33::int)) - interval '2 seconds'
  AND p.listed_at < (statement_timestamp() - make_interval(days => $34::int))
  AND p.asset_last_seen >= (statement_timestamp() - make_interval(days => $35::int))
) - (
  SELECT count(*)
  FROM outside
  WHERE asset_last_seen >= (statement_timestamp() - make_interval(days => $36::int))
  AND NOT asset_last_seen >= (statement_timestamp() - make_interval(days => $37::int))
))::float8 + (
  SELECT count(*) FILTER (WHERE seen_before >= (statement_timestamp() - make_interval(days => $38::int)) AND NOT seen_before >= (statement_timestamp() - make_interval(days => $39::int))) - count(*) FILTER (WHERE asset_last_seen >= (statement_timestamp() - make_interval(days => $40::int)) AND NOT asset_last_seen >= (statement_timestamp() - make_interval(days => $41::int)))
  FROM placed
)) AS seen_day_before, (((
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $42
  AND p.hidden_by = 0
  AND p.listed_at < (statement_timestamp() - make_interval(days => $43::int))
) - (
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $44
  AND p.hidden_by = 0
  AND p.listed_at >= (statement_timestamp() - make_interval(days => $45::int)) - interval '2 seconds'
  AND p.listed_at < (statement_timestamp() - make_interval(days => $46::int))
  AND p.asset_last_seen >= (statement_timestamp() - make_interval(days => $47::int))
) - (
  SELECT count(*)
  FROM outside
  WHERE asset_last_seen < (statement_timestamp() - make_interval(days => $48::int))
))::float8 + (
  SELECT count(*) FILTER (WHERE seen_before < (statement_timestamp() - make_interval(days => $49::int))) - count(*) FILTER (WHERE asset_last_seen < (statement_timestamp() - make_interval(days => $50::int)))
  FROM placed
)) AS unseen_for_days;
