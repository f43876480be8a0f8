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
)
SELECT ((
  SELECT coalesce(sum(n), 0)::float8
  FROM row_counts
  WHERE org_id = $4
  AND kind = $5
  AND NOT is_expired
  AND NOT is_deleted
) - ((
  SELECT count(*)
  FROM assets r
  WHERE org_id = $6
  AND deleted_at IS NULL
  AND NOT r.is_expired
  AND r.valid_from > statement_timestamp()
) + (
  SELECT count(*)
  FROM assets r
  WHERE org_id = $7
  AND deleted_at IS NULL
  AND NOT r.is_expired
  AND r.valid_to <= statement_timestamp()
  AND r.valid_from <= statement_timestamp()
))) AS total, (
  SELECT coalesce(sum(n), 0)::float8
  FROM row_counts
  WHERE org_id = $8
  AND kind = $9
  AND NOT is_expired
  AND NOT is_deleted
) - (SELECT count(*) FROM outside) AS seen, ((
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $10
  AND p.hidden_by = 0
  AND located_since >= to_timestamp($11::float8 / 1000)
) - (SELECT count(*) FROM outside WHERE located_since >= to_timestamp($12::float8 / 1000)))::float8 AS moved_today, ((
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $13
  AND p.hidden_by = 0
  AND p.listed_at >= (statement_timestamp() - make_interval(days => $14::int))
) + (
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $15
  AND p.hidden_by = 0
  AND p.listed_at >= (statement_timestamp() - make_interval(days => $16::int)) - interval '2 seconds'
  AND p.listed_at < (statement_timestamp() - make_interval(days => $17::int))
  AND p.asset_last_seen >= (statement_timestamp() - make_interval(days => $18::int))
) - (
  SELECT count(*)
  FROM outside
  WHERE asset_last_seen >= (statement_timestamp() - make_interval(days => $19::int))
))::float8 AS seen_24h, ((
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $20
  AND p.hidden_by = 0
  AND p.listed_at >= (statement_timestamp() - make_interval(days => $21::int))
  AND p.listed_at < (statement_timestamp() - make_interval(days => $22::int))
) + (
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $23
  AND p.hidden_by = 0
  AND p.listed_at >= (statement_timestamp() - make_interval(days => $24::int)) - interval '2 seconds'
  AND p.listed_at < (statement_timestamp() - make_interval(days => $25::int))
  AND p.asset_last_seen >= (statement_timestamp() - make_interval(days => $26::int))
) - (
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $27
  AND p.hidden_by = 0
  AND p.listed_at >= (statement_timestamp() - make_interval(days => $28::int)) - interval '2 seconds'
  AND p.listed_at < (statement_timestamp() - make_interval(days => $29::int))
  AND p.asset_last_seen >= (statement_timestamp() - make_interval(days => $30::int))
) - (
  SELECT count(*)
  FROM outside
  WHERE asset_last_seen >= (statement_timestamp() - make_interval(days => $31::int))
  AND asset_last_seen < (statement_timestamp() - make_interval(days => $32::int))
))::float8 AS seen_day_before, ((
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $33
  AND p.hidden_by = 0
  AND p.listed_at < (statement_timestamp() - make_interval(days => $34::int))
) - (
  SELECT count(*)
  FROM asset_positions p
  WHERE p.org_id = $35
  AND p.hidden_by = 0
  AND p.listed_at >= (statement_timestamp() - make_interval(days => $36::int)) - interval '2 seconds'
  AND p.listed_at < (statement_timestamp() - make_interval(days => $37::int))
  AND p.asset_last_seen >= (statement_timestamp() - make_interval(days => $38::int))
) - (
  SELECT count(*)
  FROM outside
  WHERE asset_last_seen < (statement_timestamp() - make_interval(days => $39::int))
))::float8 AS unseen_for_days;
