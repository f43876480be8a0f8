-- Locks: ACCESS EXCLUSIVE on imports, for milliseconds: no row is read or written. The functions below are locked until the
-- migration ends; running calls finish with the old version.

ALTER TABLE imports ADD COLUMN reserved_slots BIGINT[];

-- Trigger on `assets` and `locations`, after each statement. Arguments: the kind and the prefix of the keys. Updates
-- the free ranges from the rows that the statement changed. Only live rows occupy slots.
CREATE OR REPLACE FUNCTION keep_key_slots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- An import has taken its slots before it inserts the rows.
    IF current_setting('whereabouts.keys_reserved', true) = 'on' THEN
      RETURN NULL;
    END IF;
    PERFORM take_key_slots(org_id, TG_ARGV[0], array_agg(slot))
       FROM (SELECT org_id, key_slot(TG_ARGV[1], external_key) AS slot FROM new_rows WHERE deleted_at IS NULL) taken
      WHERE slot IS NOT NULL
      GROUP BY org_id;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM give_key_slots(org_id, TG_ARGV[0], array_agg(slot))
       FROM (SELECT org_id, key_slot(TG_ARGV[1], external_key) AS slot FROM old_rows WHERE deleted_at IS NULL) given
      WHERE slot IS NOT NULL
      GROUP BY org_id;
  ELSIF EXISTS (
    SELECT FROM old_rows o JOIN new_rows n USING (id)
     WHERE o.external_key <> n.external_key OR (o.deleted_at IS NULL) <> (n.deleted_at IS NULL)
  ) THEN
    PERFORM give_key_slots(org_id, TG_ARGV[0], array_agg(slot))
       FROM (SELECT org_id, key_slot(TG_ARGV[1], external_key) AS slot FROM old_rows WHERE deleted_at IS NULL
             EXCEPT
             SELECT org_id, key_slot(TG_ARGV[1], external_key) FROM new_rows WHERE deleted_at IS NULL) given
      WHERE slot IS NOT NULL
      GROUP BY org_id;
    PERFORM take_key_slots(org_id, TG_ARGV[0], array_agg(slot))
       FROM (SELECT org_id, key_slot(TG_ARGV[1], external_key) AS slot FROM new_rows WHERE deleted_at IS NULL
             EXCEPT
             SELECT org_id, key_slot(TG_ARGV[1], external_key) FROM old_rows WHERE deleted_at IS NULL) taken
      WHERE slot IS NOT NULL
      GROUP BY org_id;
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `assets` and `locations`, after each statement. Argument: the kind. Adds the changes of the statement to
-- `row_counts`. Each count is spread over 16 shards by the process id of the connection, so two writers of one
-- organization seldom wait for each other. An import counts in a shard of its own, as it commits late. Rows are updated in
-- the order of their keys, which prevents deadlocks.
CREATE OR REPLACE FUNCTION keep_row_counts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_shard int := coalesce(nullif(current_setting('whereabouts.count_shard', true), '')::int, pg_backend_pid() % 16);
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, shard, n)
    SELECT org_id, TG_ARGV[0], is_active, deleted_at IS NOT NULL, own_shard, count(*)
      FROM new_rows
     GROUP BY org_id, is_active, deleted_at IS NOT NULL
     ORDER BY 1, 3, 4
    ON CONFLICT (org_id, kind, is_active, is_deleted, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, shard, n)
    SELECT org_id, TG_ARGV[0], is_active, deleted_at IS NOT NULL, own_shard, -count(*)
      FROM old_rows
     GROUP BY org_id, is_active, deleted_at IS NOT NULL
     ORDER BY 1, 3, 4
    ON CONFLICT (org_id, kind, is_active, is_deleted, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  ELSE
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, shard, n)
    SELECT org_id, TG_ARGV[0], is_active, is_deleted, own_shard, sum(change)
      FROM (SELECT org_id, is_active, deleted_at IS NOT NULL AS is_deleted, 1 AS change FROM new_rows
            UNION ALL
            SELECT org_id, is_active, deleted_at IS NOT NULL, -1 FROM old_rows) changes
     GROUP BY org_id, is_active, is_deleted
    HAVING sum(change) <> 0
     ORDER BY 1, 3, 4
    ON CONFLICT (org_id, kind, is_active, is_deleted, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `assets` and `locations`, before a row is inserted or its key or deletion changes. Arguments: the class of
-- the advisory lock and the prefix of the keys. Locks the key series of the organization until the end of the
-- transaction if the old or the new key occupies a slot.
--
-- The lock is taken before the row reaches the unique index. `mint_key` takes the same lock first, so the two cannot
-- deadlock. An import has reserved its slots before (`server/imports/key-reservations.ts`), and locks nothing here.
CREATE OR REPLACE FUNCTION lock_key_slots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('whereabouts.keys_reserved', true) = 'on' THEN
    RETURN NEW;
  END IF;
  IF key_slot(TG_ARGV[1], NEW.external_key) IS NOT NULL
     OR (TG_OP = 'UPDATE' AND key_slot(TG_ARGV[1], OLD.external_key) IS NOT NULL) THEN
    PERFORM pg_advisory_xact_lock(TG_ARGV[0]::int, NEW.org_id);
  END IF;
  RETURN NEW;
END
$$;
