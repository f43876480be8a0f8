-- Locks: ACCESS EXCLUSIVE on assets, locations and row_counts, for milliseconds: no row of assets or locations is read or
-- written, and row_counts is small.
--
-- Maintenance marks rows whose window is over, and kept counts tell how many there are. So a list counts only the few that
-- expired since, however many there are.

ALTER TABLE assets ADD COLUMN is_expired boolean NOT NULL DEFAULT false;
ALTER TABLE locations ADD COLUMN is_expired boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN assets.is_expired IS 'valid_to has passed; set by maintenance, so it may be false for some time after that';
COMMENT ON COLUMN locations.is_expired IS 'valid_to has passed; set by maintenance, so it may be false for some time after that';

ALTER TABLE row_counts
  ADD COLUMN is_expired boolean NOT NULL DEFAULT false,
  -- How often the row was changed. The sum of an organization and a kind grows with every change of its rows or their keys.
  ADD COLUMN changes bigint NOT NULL DEFAULT 1,
  DROP CONSTRAINT row_counts_pkey,
  ADD CONSTRAINT row_counts_pkey PRIMARY KEY (org_id, kind, is_active, is_deleted, is_expired, shard);

-- Trigger on `assets` and `locations`, after each statement. Argument: the kind. Adds the changes of the statement to
-- `row_counts`, and one to `changes` of each row of it. Each count is spread over 16 shards by the process id of the
-- connection, so two writers of one organization seldom wait for each other. An import counts in a shard of its own, as it
-- commits late. Rows are updated in the order of their keys, which prevents deadlocks.
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
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT org_id, TG_ARGV[0], is_active, deleted_at IS NOT NULL, is_expired, own_shard, -count(*)
      FROM old_rows
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

-- Trigger on `asset_positions` and `assets`, after each statement. Counts inserted and deleted positions in
-- `row_counts`, in shards as `keep_row_counts` does. A position counts as deleted while its asset is deleted, and as expired
-- while its asset is marked so. Old and new rows are grouped instead of joined: a join planned for one row would compare all
-- pairs of a bulk change.
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

-- Trigger on `assets` and `locations`, before each row whose window is updated and that is marked as expired. Removes the mark
-- if the window changes. Maintenance marks the row again if it has expired by then.
--
-- The asset is locked as if it was deleted. So its first position is either stored before, and counted with its new state, or
-- stored afterwards.
CREATE OR REPLACE FUNCTION clear_expired() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.valid_from, NEW.valid_to) IS DISTINCT FROM (OLD.valid_from, OLD.valid_to) THEN
    IF TG_TABLE_NAME = 'assets' THEN
      PERFORM FROM assets WHERE org_id = OLD.org_id AND id = OLD.id FOR UPDATE;
    END IF;
    NEW.is_expired := false;
  END IF;
  RETURN NEW;
END
$$;

-- Trigger on `assets`, after each row whose key was changed. Adds one to `changes` of the organization's counts, as the order of
-- its assets is another one.
CREATE OR REPLACE FUNCTION note_new_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
  VALUES (NEW.org_id, 'asset', NEW.is_active, NEW.deleted_at IS NOT NULL, NEW.is_expired, pg_backend_pid() % 16, 0)
  ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET changes = row_counts.changes + 1;
  RETURN NULL;
END
$$;

CREATE TRIGGER clear_expired BEFORE UPDATE OF valid_from, valid_to ON assets
  FOR EACH ROW WHEN (OLD.is_expired) EXECUTE FUNCTION clear_expired();
CREATE TRIGGER clear_expired BEFORE UPDATE OF valid_from, valid_to ON locations
  FOR EACH ROW WHEN (OLD.is_expired) EXECUTE FUNCTION clear_expired();
CREATE TRIGGER note_new_keys AFTER UPDATE OF external_key ON assets
  FOR EACH ROW WHEN (OLD.external_key <> NEW.external_key) EXECUTE FUNCTION note_new_keys();
