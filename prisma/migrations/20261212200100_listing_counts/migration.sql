-- Locks: SHARE ROW EXCLUSIVE on assets and position_listings, and ACCESS EXCLUSIVE on slot_counts, while listings of deleted and
-- expired assets are marked and all are counted: about a second for each million, and one for each 50,000 that are marked. Reads
-- go on, but for pages of the report at large offsets. Readers' messages wait to be stored.

LOCK TABLE assets, position_listings IN SHARE ROW EXCLUSIVE MODE;

-- Trigger on `position_listings`, after each statement. Keeps in `slot_counts` how many listings of an organization are in
-- each range of slots: `n` of assets that are shown, `n_deleted` of those that are hidden by their deletion alone. A connection
-- counts in rows of its own, so no transaction waits for another one; maintenance adds them up. Most updates leave every listing
-- in its range and write nothing.
CREATE OR REPLACE FUNCTION keep_slot_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO slot_counts (org_id, step, range_no, shard, n, n_deleted)
    SELECT c.org_id, s.step, c.seen_slot >> s.step, pg_backend_pid(), sum(c.shown), sum(c.deleted)
      FROM (SELECT org_id, seen_slot, (hidden_by = 0)::int AS shown, (hidden_by = 1)::int AS deleted FROM new_rows
            UNION ALL
            SELECT org_id, seen_slot, -(hidden_by = 0)::int, -(hidden_by = 1)::int FROM old_rows) c
     CROSS JOIN (VALUES (3), (12)) AS s (step)
     GROUP BY 1, 2, 3
    HAVING sum(c.shown) <> 0 OR sum(c.deleted) <> 0
    ON CONFLICT (org_id, step, range_no, shard)
    DO UPDATE SET n = slot_counts.n + EXCLUDED.n, n_deleted = slot_counts.n_deleted + EXCLUDED.n_deleted;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO slot_counts (org_id, step, range_no, shard, n, n_deleted)
    SELECT n.org_id, s.step, n.seen_slot >> s.step, pg_backend_pid(), sum((n.hidden_by = 0)::int), sum((n.hidden_by = 1)::int)
      FROM new_rows n CROSS JOIN (VALUES (3), (12)) AS s (step)
     WHERE n.hidden_by <= 1
     GROUP BY 1, 2, 3
    ON CONFLICT (org_id, step, range_no, shard)
    DO UPDATE SET n = slot_counts.n + EXCLUDED.n, n_deleted = slot_counts.n_deleted + EXCLUDED.n_deleted;
  ELSE
    INSERT INTO slot_counts (org_id, step, range_no, shard, n, n_deleted)
    SELECT o.org_id, s.step, o.seen_slot >> s.step, pg_backend_pid(), -sum((o.hidden_by = 0)::int), -sum((o.hidden_by = 1)::int)
      FROM old_rows o CROSS JOIN (VALUES (3), (12)) AS s (step)
     WHERE o.hidden_by <= 1
     GROUP BY 1, 2, 3
    ON CONFLICT (org_id, step, range_no, shard)
    DO UPDATE SET n = slot_counts.n + EXCLUDED.n, n_deleted = slot_counts.n_deleted + EXCLUDED.n_deleted;
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `asset_positions`, after each insertion. Inserts the listing of every new position. Its slot is the time at
-- which the asset was last seen, in steps of ten seconds, and `slot_ms` the milliseconds after that. Rows are inserted in the
-- order of the asset ids, which prevents deadlocks.
CREATE OR REPLACE FUNCTION list_new_positions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO position_listings (org_id, asset_id, location_id, located_since, seen_slot, slot_ms, reader_id, hidden_by)
  SELECT n.org_id, n.asset_id, n.location_id, n.located_since, t.slot,
         CASE WHEN n.is_listed_exactly THEN (date_part('epoch', n.asset_last_seen) * 1000)::int8 - t.slot::int8 * 10000 ELSE 10000 END,
         n.reader_id, (a.deleted_at IS NOT NULL)::int + 2 * a.is_expired::int
    FROM new_rows n
    JOIN assets a ON a.org_id = n.org_id AND a.id = n.asset_id
   CROSS JOIN LATERAL (SELECT floor(date_part('epoch', n.asset_last_seen) / 10)::int AS slot) t
   ORDER BY n.asset_id;
  RETURN NULL;
END
$$;

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

UPDATE position_listings l
   SET hidden_by = (a.deleted_at IS NOT NULL)::int + 2 * a.is_expired::int
  FROM assets a
 WHERE a.org_id = l.org_id AND a.id = l.asset_id AND (a.deleted_at IS NOT NULL OR a.is_expired);

-- The ranges have other lengths than before: 8 slots, which are 80 seconds, and 4,096, which are eleven hours.
TRUNCATE slot_counts;
INSERT INTO slot_counts (org_id, step, range_no, shard, n, n_deleted)
SELECT l.org_id, s.step, l.seen_slot >> s.step, 0, sum((l.hidden_by = 0)::int), sum((l.hidden_by = 1)::int)
  FROM position_listings l CROSS JOIN (VALUES (3), (12)) AS s (step)
 WHERE l.hidden_by <= 1
 GROUP BY 1, 2, 3;
