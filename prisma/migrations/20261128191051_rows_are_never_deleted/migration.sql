-- Locks: ACCESS EXCLUSIVE on assets, locations and asset_positions, for milliseconds: no row is read or written.
DROP TRIGGER keep_metadata_values_delete ON assets;
DROP TRIGGER keep_position_counts_delete ON asset_positions;
DROP TRIGGER keep_row_counts_delete ON assets;
DROP TRIGGER keep_row_counts_delete ON locations;

DROP TRIGGER keep_freed_keys ON assets;
CREATE TRIGGER keep_freed_keys AFTER INSERT OR UPDATE OF external_key, deleted_at ON assets
  FOR EACH ROW EXECUTE FUNCTION keep_freed_keys('asset', 'ASSET-');
DROP TRIGGER keep_freed_keys ON locations;
CREATE TRIGGER keep_freed_keys AFTER INSERT OR UPDATE OF external_key, deleted_at ON locations
  FOR EACH ROW EXECUTE FUNCTION keep_freed_keys('location', 'LOC-');

-- Trigger on `assets` and `locations`, after a row is inserted, or its key or deletion changes. Arguments: the
-- kind and the prefix of the keys. Adds the slot that the row no longer has to `freed_keys`, and removes the slot that it
-- has now. Only live rows have slots.
--
-- Slots at or above the hint are added too. So a deletion needs no lock, and a create that moves the hint meanwhile
-- misses no slot. If another row had a slot that an import has reserved, and frees it, the slot is no longer reserved.
-- The connection keeps the plan, which may have been made for an empty table.
CREATE OR REPLACE FUNCTION keep_freed_keys() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  freed bigint := CASE WHEN TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL THEN key_slot(TG_ARGV[1], OLD.external_key) END;
  taken bigint := CASE WHEN NEW.deleted_at IS NULL THEN key_slot(TG_ARGV[1], NEW.external_key) END;
BEGIN
  IF freed IS NOT NULL THEN
    INSERT INTO freed_keys (org_id, kind, slot)
    VALUES (OLD.org_id, TG_ARGV[0], freed)
    ON CONFLICT (org_id, kind, slot) DO UPDATE SET lease_token = NULL;
  END IF;
  IF taken IS NOT NULL THEN
    DELETE FROM freed_keys WHERE org_id = NEW.org_id AND kind = TG_ARGV[0] AND slot = taken;
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `assets`, after each statement. Keeps `metadata_values` equal to the custom details of the live assets.
-- Old and new rows are joined by hash, because the connection keeps the plan, which may have been made for a statement
-- with one row.
CREATE OR REPLACE FUNCTION keep_metadata_values() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
DECLARE
  gone metadata_values%ROWTYPE;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO metadata_values (org_id, key, value, asset_id)
    SELECT n.org_id, f.key, f.value, n.id
      FROM new_rows n
     CROSS JOIN LATERAL metadata_fields(n.metadata) f
     WHERE n.deleted_at IS NULL AND n.metadata::text <> '{}'
    ON CONFLICT DO NOTHING;
  ELSE
    FOR gone IN
      SELECT o.org_id, f.key, f.value, o.id
        FROM old_rows o
        JOIN new_rows n ON n.id = o.id
       CROSS JOIN LATERAL (
         SELECT w.key, w.value FROM metadata_fields(o.metadata) w
         EXCEPT
         SELECT w.key, w.value FROM metadata_fields(n.metadata) w WHERE n.deleted_at IS NULL
       ) f
       WHERE o.deleted_at IS NULL AND (n.deleted_at IS NOT NULL OR n.metadata::text <> o.metadata::text)
    LOOP
      DELETE FROM metadata_values v
       WHERE v.org_id = gone.org_id AND v.key = gone.key AND v.value = gone.value AND v.asset_id = gone.asset_id;
    END LOOP;
    INSERT INTO metadata_values (org_id, key, value, asset_id)
    SELECT n.org_id, f.key, f.value, n.id
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
     CROSS JOIN LATERAL metadata_fields(n.metadata) f
     WHERE n.deleted_at IS NULL AND (o.deleted_at IS NOT NULL OR n.metadata::text <> o.metadata::text)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `asset_positions` and `assets`, after each statement. Keeps `hidden_by` of the positions of deleted and expired
-- assets, and counts positions by it in `row_counts`, in shards as `keep_row_counts` does.
--
-- Positions are locked in the order of the asset ids, as ingestion locks them, and before the counts, which prevents deadlocks.
CREATE OR REPLACE FUNCTION keep_position_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'assets' THEN
    WITH held AS MATERIALIZED (
      SELECT p.org_id, p.asset_id, p.hidden_by AS was, (n.deleted_at IS NOT NULL)::int + 2 * n.is_expired::int AS becomes
        FROM new_rows n
        JOIN asset_positions p ON p.org_id = n.org_id AND p.asset_id = n.id
       WHERE p.hidden_by <> (n.deleted_at IS NOT NULL)::int + 2 * n.is_expired::int
       ORDER BY p.asset_id
         FOR NO KEY UPDATE OF p
    ), hidden AS (
      UPDATE asset_positions p
         SET hidden_by = h.becomes
        FROM held h
       WHERE p.org_id = h.org_id AND p.asset_id = h.asset_id
    )
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT h.org_id, 'position', true, s.state & 1 = 1, s.state & 2 = 2, pg_backend_pid() % 16, sum(s.change)
      FROM held h
     CROSS JOIN LATERAL (VALUES (h.becomes, 1), (h.was::int, -1)) AS s (state, change)
     GROUP BY h.org_id, s.state
     ORDER BY 1, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  ELSE
    UPDATE asset_positions p
       SET hidden_by = (a.deleted_at IS NOT NULL)::int + 2 * a.is_expired::int
      FROM new_rows n
      JOIN assets a ON a.org_id = n.org_id AND a.id = n.asset_id
     WHERE p.org_id = n.org_id AND p.asset_id = n.asset_id
       AND p.hidden_by <> (a.deleted_at IS NOT NULL)::int + 2 * a.is_expired::int;
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

-- Trigger on `assets` and `locations`, after each statement. Argument: the kind. Adds the changes of the statement to
-- `row_counts`, and one to the column `changes` of each row of `row_counts` that it updates. Each count is spread over
-- 16 shards by the process id of the connection, so two writers of one organization seldom wait for each other. An
-- import counts in a shard of its own, because it commits late. Rows are updated in the order of their keys, which
-- prevents deadlocks.
CREATE OR REPLACE FUNCTION keep_row_counts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_shard int := coalesce(nullif(current_setting('whereabouts.count_shard', true), '')::int, pg_backend_pid() % 16);
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT org_id, TG_ARGV[0], is_active, deleted_at IS NOT NULL, is_expired, own_shard, count(*)
      FROM new_rows
     GROUP BY org_id, is_active, deleted_at IS NOT NULL, is_expired
     ORDER BY 1, 3, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE
       SET n = row_counts.n + EXCLUDED.n, changes = row_counts.changes + 1;
  ELSE
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT org_id, TG_ARGV[0], is_active, is_deleted, is_expired, own_shard, sum(change)
      FROM (SELECT org_id, is_active, deleted_at IS NOT NULL AS is_deleted, is_expired, 1 AS change FROM new_rows
            UNION ALL
            SELECT org_id, is_active, deleted_at IS NOT NULL, is_expired, -1 FROM old_rows) changes
     GROUP BY org_id, is_active, is_deleted, is_expired
    HAVING sum(change) <> 0
     ORDER BY 1, 3, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE
       SET n = row_counts.n + EXCLUDED.n, changes = row_counts.changes + 1;
  END IF;
  RETURN NULL;
END
$$;
