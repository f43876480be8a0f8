-- Trigger on `asset_positions` and `assets`, after each statement. Keeps `hidden_by` of the positions of deleted and expired
-- assets and counts positions by it in `row_counts`, in shards as `keep_row_counts` does. Keeps `belongs_to_id` of positions,
-- by which an index finds the assets that are away from the location that they belong to.
--
-- Positions are locked in the order of the asset ids, as ingestion locks them, and before the counts, which prevents deadlocks.
CREATE OR REPLACE FUNCTION keep_position_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'assets' THEN
    WITH held AS MATERIALIZED (
      SELECT p.org_id, p.asset_id, p.hidden_by AS was, (n.deleted_at IS NOT NULL)::int + 2 * n.is_expired::int AS becomes,
             n.belongs_to_id
        FROM new_rows n
        JOIN asset_positions p ON p.org_id = n.org_id AND p.asset_id = n.id
       WHERE p.hidden_by <> (n.deleted_at IS NOT NULL)::int + 2 * n.is_expired::int
          OR p.belongs_to_id IS DISTINCT FROM n.belongs_to_id
       ORDER BY p.asset_id
         FOR NO KEY UPDATE OF p
    ), hidden AS (
      UPDATE asset_positions p
         SET hidden_by = h.becomes, belongs_to_id = h.belongs_to_id
        FROM held h
       WHERE p.org_id = h.org_id AND p.asset_id = h.asset_id
    )
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT h.org_id, 'position', true, s.state & 1 = 1, s.state & 2 = 2, pg_backend_pid() % 16, sum(s.change)
      FROM held h
     CROSS JOIN LATERAL (VALUES (h.becomes, 1), (h.was::int, -1)) AS s (state, change)
     WHERE h.becomes <> h.was
     GROUP BY h.org_id, s.state
     ORDER BY 1, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  ELSE
    UPDATE asset_positions p
       SET hidden_by = (a.deleted_at IS NOT NULL)::int + 2 * a.is_expired::int, belongs_to_id = a.belongs_to_id
      FROM new_rows n
      JOIN assets a ON a.org_id = n.org_id AND a.id = n.asset_id
     WHERE p.org_id = n.org_id AND p.asset_id = n.asset_id
       AND (p.hidden_by <> (a.deleted_at IS NOT NULL)::int + 2 * a.is_expired::int
            OR p.belongs_to_id IS DISTINCT FROM a.belongs_to_id);
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT p.org_id, 'position', true, a.deleted_at IS NOT NULL, a.is_expired, pg_backend_pid() % 16, count(*)
      FROM new_rows p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
     GROUP BY p.org_id, a.deleted_at IS NOT NULL, a.is_expired
     ORDER BY 1, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  END IF;
  RETURN NULL;
END
$$;
