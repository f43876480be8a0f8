-- name: createReportStarts
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
SELECT $4::float8 + k.n - 1 AS position, round(date_part('epoch', k.asset_last_seen) * 1000) AS last_seen, k.asset_id
FROM (
  SELECT p.asset_last_seen, p.asset_id, row_number() OVER (ORDER BY p.asset_last_seen ASC, p.asset_id) AS n
  FROM ((
    WITH first AS MATERIALIZED (
      SELECT p.asset_id, p.location_id, p.asset_last_seen, p.listed_at
      FROM asset_positions p
      WHERE p.org_id = $5
      AND p.hidden_by = 0
      AND p.asset_id NOT IN (SELECT asset_id FROM outside)
      ORDER BY p.listed_at ASC FETCH FIRST ($6::bigint) ROWS WITH TIES
    )
    SELECT f.asset_id, f.location_id, f.asset_last_seen
    FROM first f
    UNION ALL SELECT p.asset_id, p.location_id, p.asset_last_seen
    FROM asset_positions p
    WHERE p.org_id = $7
    AND p.hidden_by = 0
    AND p.asset_id NOT IN (SELECT asset_id FROM outside)
    AND p.listed_at > (SELECT max(f.listed_at) FROM first f)
    AND p.listed_at <= (SELECT max(f.listed_at) + interval '2 seconds' FROM first f)
  )) p
  ORDER BY p.asset_last_seen ASC, p.asset_id
  LIMIT $8::bigint
) k
WHERE k.n % $9::int = 1
ORDER BY k.n;

-- name: createReportStarts
-- further: 01b0408044 bf8b76e9a5 e04354504b
