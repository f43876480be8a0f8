-- Locks: ACCESS EXCLUSIVE on assets, locations, organizations, imports and free_key_slots, for milliseconds: no row is read
-- or written. Gaps among existing keys are above the hint, and the first creates find them.

DROP TRIGGER add_free_key_slots ON organizations;
DROP TRIGGER keep_key_slots_insert ON assets;
DROP TRIGGER keep_key_slots_update ON assets;
DROP TRIGGER keep_key_slots_delete ON assets;
DROP TRIGGER lock_key_slots_insert ON assets;
DROP TRIGGER lock_key_slots_update ON assets;
DROP TRIGGER keep_key_slots_insert ON locations;
DROP TRIGGER keep_key_slots_update ON locations;
DROP TRIGGER keep_key_slots_delete ON locations;
DROP TRIGGER lock_key_slots_insert ON locations;
DROP TRIGGER lock_key_slots_update ON locations;
DROP FUNCTION add_free_key_slots();
DROP FUNCTION keep_key_slots();
DROP FUNCTION lock_key_slots();
DROP FUNCTION give_key_slots(int, text, bigint[]);
DROP FUNCTION take_key_slots(int, text, bigint[]);
DROP TABLE free_key_slots;
ALTER TABLE imports DROP COLUMN reserved_slots;

CREATE TABLE key_hints (
  org_id integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  next_slot bigint NOT NULL DEFAULT 1,
  CONSTRAINT key_hints_pkey PRIMARY KEY (org_id, kind)
) WITH (fillfactor = 50);

CREATE TABLE freed_keys (
  org_id integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  lease_token uuid,
  CONSTRAINT freed_keys_pkey PRIMARY KEY (org_id, kind, slot)
);
CREATE INDEX freed_keys_free ON freed_keys (org_id, kind, slot) WHERE lease_token IS NULL;

-- Returns the key of a slot of a series, `asset` or `location`, such as `ASSET-0042`. The inverse of `key_slot`.
CREATE OR REPLACE FUNCTION slot_key(series text, slot bigint) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE series WHEN 'asset' THEN 'ASSET-' WHEN 'location' THEN 'LOC-' END
         || lpad(slot::text, greatest(4, length(slot::text)), '0');

-- Returns the hint of a key series, `asset` or `location`, and locks the series until the end of the transaction. Each
-- slot below the hint has a live row, or a row in `freed_keys`.
CREATE OR REPLACE FUNCTION lock_key_hint(owner int, series text) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO key_hints (org_id, kind)
  VALUES (owner, series)
  ON CONFLICT (org_id, kind) DO UPDATE SET next_slot = key_hints.next_slot
  RETURNING next_slot
$$;

-- Returns the lowest free slots of a series, which it locks until the end of the transaction: first slots that were
-- freed, then slots from the hint on that neither a live row nor an import has. Moves the hint to the first free slot
-- behind them. The caller stores each slot in the same transaction, as the key of a row or in `freed_keys`.
--
-- The function must stay volatile: then each statement has a newer snapshot, which contains what the previous holder of
-- the lock committed. Slots are looked up in growing batches and planned each time, so that no plan from when the tables
-- were small reads all rows for each slot.
CREATE OR REPLACE FUNCTION next_free_slots(owner int, series text, wanted int) RETURNS bigint[] VOLATILE
  LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  hint bigint := lock_key_hint(owner, series);
  freed bigint[];
  fresh bigint[] := '{}';
  batch bigint := 1;
  keys text[];
  taken bigint[];
BEGIN
  freed := ARRAY(
    SELECT slot
      FROM freed_keys
     WHERE org_id = owner AND kind = series AND slot < hint AND lease_token IS NULL
     ORDER BY slot
     LIMIT wanted);
  wanted := wanted - cardinality(freed);
  WHILE cardinality(fresh) <= wanted LOOP
    batch := least(batch * 4, greatest(wanted, 262144));
    keys := ARRAY(SELECT slot_key(series, slot) FROM generate_series(hint, hint + batch - 1) AS numbers (slot));
    IF series = 'asset' THEN
      taken := ARRAY(
        SELECT key_slot('ASSET-', external_key) FROM assets
         WHERE org_id = owner AND external_key = ANY (keys) AND deleted_at IS NULL);
    ELSE
      taken := ARRAY(
        SELECT key_slot('LOC-', external_key) FROM locations
         WHERE org_id = owner AND external_key = ANY (keys) AND deleted_at IS NULL);
    END IF;
    fresh := fresh || ARRAY(
      SELECT slot FROM generate_series(hint, hint + batch - 1) AS numbers (slot)
      EXCEPT
      SELECT unnest(taken)
      EXCEPT
      SELECT slot
        FROM freed_keys
       WHERE org_id = owner AND kind = series AND slot >= hint AND slot < hint + batch AND lease_token IS NOT NULL
       ORDER BY slot);
    hint := hint + batch;
  END LOOP;
  UPDATE key_hints SET next_slot = fresh[wanted + 1] WHERE org_id = owner AND kind = series;
  RETURN freed || fresh[:wanted];
END
$$;

-- Returns the lowest free key of a series, `asset` or `location`, and locks the series until the end of the transaction.
-- The caller inserts the row in the same statement.
CREATE OR REPLACE FUNCTION mint_key(owner int, series text) RETURNS text VOLATILE LANGUAGE plpgsql AS $$
BEGIN
  RETURN slot_key(series, (next_free_slots(owner, series, 1))[1]);
END
$$;

-- Trigger on `assets` and `locations`, after a row is inserted or deleted, or its key or deletion changes. Arguments: the
-- kind and the prefix of the keys. Adds the slot that the row no longer has to `freed_keys`, and removes the slot that it
-- has now. Only live rows have slots.
--
-- Slots at or above the hint are added too: then a deletion needs no lock, and a create that moves the hint meanwhile
-- misses no slot. A slot reserved by an import that another row had and frees is no longer reserved.
-- The plan is kept for the connection, and may come from an empty table.
CREATE OR REPLACE FUNCTION keep_freed_keys() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  freed bigint := CASE WHEN TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL THEN key_slot(TG_ARGV[1], OLD.external_key) END;
  taken bigint := CASE WHEN TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL THEN key_slot(TG_ARGV[1], NEW.external_key) END;
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

CREATE TRIGGER keep_freed_keys AFTER INSERT OR DELETE OR UPDATE OF external_key, deleted_at ON assets
  FOR EACH ROW EXECUTE FUNCTION keep_freed_keys('asset', 'ASSET-');
CREATE TRIGGER keep_freed_keys AFTER INSERT OR DELETE OR UPDATE OF external_key, deleted_at ON locations
  FOR EACH ROW EXECUTE FUNCTION keep_freed_keys('location', 'LOC-');
