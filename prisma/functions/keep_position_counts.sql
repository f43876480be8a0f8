-- Trigger on `asset_positions` and `assets`, after each statement. Counts inserted and deleted positions in
-- `row_counts`, in shards as `keep_row_counts` does. A position counts as deleted while its asset is deleted, and as expired
-- while its asset is marked so. Old and new rows are grouped instead of joined: a join planned for one row would compare all
-- pairs of a bulk change.
--
-- Where counts of assets changed, their listings are updated as well (`hidden_by`). The listings are locked in the order of the
-- asset ids, as ingestion locks them, which prevents deadlocks.
CREATE OR REPLACE FUNCTION keep_position_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'assets' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT moved.org_id, 'position', true, moved.is_deleted, moved.is_expired, pg_backend_pid() % 16, sum(moved.change)
      FROM (SELECT changed.org_id, changed.id, side.is_deleted, side.is_expired, side.change
              FROM (SELECT org_id, id,
                           bool_or(is_new AND is_deleted) AS now_deleted, bool_or(NOT is_new AND is_deleted) AS was_deleted,
                           bool_or(is_new AND is_expired) AS now_expired, bool_or(NOT is_new AND is_expired) AS was_expired
                      FROM (SELECT org_id, id, true AS is_new, deleted_at IS NOT NULL AS is_deleted, is_expired FROM new_rows
                            UNION ALL
                            SELECT org_id, id, false, deleted_at IS NOT NULL, is_expired FROM old_rows) versions
                     GROUP BY org_id, id
                    HAVING bool_or(is_deleted) <> bool_and(is_deleted) OR bool_or(is_expired) <> bool_and(is_expired)) changed
             CROSS JOIN LATERAL (VALUES (now_deleted, now_expired, 1), (was_deleted, was_expired, -1))
                     AS side (is_deleted, is_expired, change)) moved
      JOIN asset_positions p ON p.org_id = moved.org_id AND p.asset_id = moved.id
     GROUP BY moved.org_id, moved.is_deleted, moved.is_expired
     ORDER BY 1, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
    IF FOUND THEN
      WITH held AS MATERIALIZED (
        SELECT l.asset_id, (n.deleted_at IS NOT NULL)::int + 2 * n.is_expired::int AS hidden_by
          FROM new_rows n
          JOIN position_listings l ON l.org_id = n.org_id AND l.asset_id = n.id
         WHERE l.hidden_by <> (n.deleted_at IS NOT NULL)::int + 2 * n.is_expired::int
         ORDER BY l.asset_id
           FOR NO KEY UPDATE OF l
      )
      UPDATE position_listings l SET hidden_by = h.hidden_by FROM held h WHERE l.asset_id = h.asset_id;
    END IF;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT p.org_id, 'position', true, a.deleted_at IS NOT NULL, a.is_expired, pg_backend_pid() % 16, count(*)
      FROM new_rows p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
     GROUP BY p.org_id, a.deleted_at IS NOT NULL, a.is_expired
     ORDER BY 1, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  ELSE
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT p.org_id, 'position', true, a.deleted_at IS NOT NULL, a.is_expired, pg_backend_pid() % 16, -count(*)
      FROM old_rows p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
     GROUP BY p.org_id, a.deleted_at IS NOT NULL, a.is_expired
     ORDER BY 1, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  END IF;
  RETURN NULL;
END
$$;
