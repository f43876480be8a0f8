-- CreateTable
CREATE TABLE "organizations" (
    "id" SERIAL NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" SERIAL NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "password_hash" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "org_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "role" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("org_id","user_id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,
    "org_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refresh_tokens" (
    "token_hash" TEXT COLLATE "C" NOT NULL,
    "session_id" UUID NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "sign_in_throttles" (
    "key" TEXT COLLATE "C" NOT NULL,
    "failures" INTEGER NOT NULL,
    "window_started_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_throttles_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "org_id" INTEGER,
    "name" TEXT COLLATE "C" NOT NULL,
    "scopes" TEXT[] NOT NULL,
    "created_by" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "locations" (
    "id" SERIAL NOT NULL,
    "org_id" INTEGER NOT NULL,
    "external_key" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C",
    "parent_id" INTEGER,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "locations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "assets" (
    "id" SERIAL NOT NULL,
    "org_id" INTEGER NOT NULL,
    "external_key" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C",
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "metadata" JSON NOT NULL DEFAULT '{}',
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "assets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tags" (
    "id" SERIAL NOT NULL,
    "org_id" INTEGER NOT NULL,
    "asset_id" INTEGER,
    "location_id" INTEGER,
    "tag_type" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "tags_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "readers" (
    "id" SERIAL NOT NULL,
    "org_id" INTEGER NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "format" TEXT COLLATE "C" NOT NULL,
    "mapping" JSONB,
    "location_id" INTEGER,
    "mqtt_username" TEXT COLLATE "C" NOT NULL,
    "secret_hash" TEXT COLLATE "C" NOT NULL,
    "publish_topic" TEXT COLLATE "C" NOT NULL,
    "resolution_seconds" INTEGER NOT NULL DEFAULT 60,
    "use_receipt_time" BOOLEAN NOT NULL DEFAULT false,
    "last_message_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "readers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reader_antennas" (
    "org_id" INTEGER NOT NULL,
    "reader_id" INTEGER NOT NULL,
    "port" INTEGER NOT NULL,
    "location_id" INTEGER,
    "min_rssi_dbm" INTEGER,

    CONSTRAINT "reader_antennas_pkey" PRIMARY KEY ("reader_id","port")
);

-- CreateTable
CREATE TABLE "scan_events" (
    "org_id" INTEGER NOT NULL,
    "asset_id" INTEGER NOT NULL,
    "event_observed_at" TIMESTAMPTZ(3) NOT NULL,
    "location_id" INTEGER,
    "reader_id" INTEGER,
    "antenna" INTEGER,
    "rssi_dbm" REAL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scan_events_pkey" PRIMARY KEY ("org_id","asset_id","event_observed_at")
) PARTITION BY RANGE ("event_observed_at");

-- CreateTable
CREATE TABLE "asset_positions" (
    "org_id" INTEGER NOT NULL,
    "asset_id" INTEGER NOT NULL,
    "location_id" INTEGER,
    "reader_id" INTEGER,
    "antenna" INTEGER,
    "asset_last_seen" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "asset_positions_pkey" PRIMARY KEY ("org_id","asset_id")
);

-- CreateTable
CREATE TABLE "unknown_tags" (
    "id" BIGSERIAL NOT NULL,
    "org_id" INTEGER NOT NULL,
    "tag_type" TEXT COLLATE "C",
    "value" TEXT COLLATE "C" NOT NULL,
    "reader_id" INTEGER,
    "antenna" INTEGER,
    "count" BIGINT NOT NULL,
    "first_seen" TIMESTAMPTZ(3) NOT NULL,
    "last_seen" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "unknown_tags_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rejected_messages" (
    "id" BIGSERIAL NOT NULL,
    "org_id" INTEGER NOT NULL,
    "reader_id" INTEGER NOT NULL,
    "topic" TEXT COLLATE "C" NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "payload" BYTEA NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rejected_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "scan_submissions" (
    "org_id" INTEGER NOT NULL,
    "submission_id" TEXT COLLATE "C" NOT NULL,
    "results" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "scan_submissions_pkey" PRIMARY KEY ("org_id","submission_id")
);

-- CreateTable
CREATE TABLE "free_key_slots" (
    "org_id" INTEGER NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "last_slot" BIGINT NOT NULL,
    "first_slot" BIGINT NOT NULL,

    CONSTRAINT "free_key_slots_pkey" PRIMARY KEY ("org_id","kind","last_slot")
);

-- CreateTable
CREATE TABLE "row_counts" (
    "org_id" INTEGER NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "is_deleted" BOOLEAN NOT NULL,
    "shard" SMALLINT NOT NULL,
    "n" BIGINT NOT NULL,

    CONSTRAINT "row_counts_pkey" PRIMARY KEY ("org_id","kind","is_active","is_deleted","shard")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "refresh_tokens_session_id_idx" ON "refresh_tokens"("session_id");

-- CreateIndex
CREATE INDEX "api_keys_org_id_created_at_idx" ON "api_keys"("org_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "locations_org_id_id_key" ON "locations"("org_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "assets_org_id_id_key" ON "assets"("org_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "readers_org_id_id_key" ON "readers"("org_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "readers_mqtt_username_key" ON "readers"("mqtt_username");

-- CreateIndex
CREATE INDEX "readers_updated_at_idx" ON "readers"("updated_at");

-- CreateIndex
CREATE INDEX "asset_positions_org_id_asset_last_seen_asset_id_idx" ON "asset_positions"("org_id", "asset_last_seen" DESC, "asset_id");

-- CreateIndex
CREATE INDEX "asset_positions_org_id_location_id_asset_id_idx" ON "asset_positions"("org_id", "location_id", "asset_id");

-- CreateIndex
CREATE INDEX "unknown_tags_org_id_last_seen_id_idx" ON "unknown_tags"("org_id", "last_seen" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "unknown_tags_place_key" ON "unknown_tags"("org_id", "tag_type", "value", "reader_id", "antenna") NULLS NOT DISTINCT;

-- CreateIndex
CREATE INDEX "rejected_messages_org_id_received_at_id_idx" ON "rejected_messages"("org_id", "received_at" DESC, "id");

-- CreateIndex
CREATE INDEX "rejected_messages_received_at_idx" ON "rejected_messages"("received_at");

-- CreateIndex
CREATE INDEX "scan_submissions_created_at_idx" ON "scan_submissions"("created_at");

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organizations"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "locations" ADD CONSTRAINT "locations_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "locations" ADD CONSTRAINT "locations_org_id_parent_id_fkey" FOREIGN KEY ("org_id", "parent_id") REFERENCES "locations"("org_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "assets" ADD CONSTRAINT "assets_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tags" ADD CONSTRAINT "tags_org_id_asset_id_fkey" FOREIGN KEY ("org_id", "asset_id") REFERENCES "assets"("org_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "tags" ADD CONSTRAINT "tags_org_id_location_id_fkey" FOREIGN KEY ("org_id", "location_id") REFERENCES "locations"("org_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "readers" ADD CONSTRAINT "readers_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "readers" ADD CONSTRAINT "readers_org_id_location_id_fkey" FOREIGN KEY ("org_id", "location_id") REFERENCES "locations"("org_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "reader_antennas" ADD CONSTRAINT "reader_antennas_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reader_antennas" ADD CONSTRAINT "reader_antennas_org_id_reader_id_fkey" FOREIGN KEY ("org_id", "reader_id") REFERENCES "readers"("org_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "reader_antennas" ADD CONSTRAINT "reader_antennas_org_id_location_id_fkey" FOREIGN KEY ("org_id", "location_id") REFERENCES "locations"("org_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "asset_positions" ADD CONSTRAINT "asset_positions_org_id_asset_id_fkey" FOREIGN KEY ("org_id", "asset_id") REFERENCES "assets"("org_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "asset_positions" ADD CONSTRAINT "asset_positions_org_id_location_id_fkey" FOREIGN KEY ("org_id", "location_id") REFERENCES "locations"("org_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "unknown_tags" ADD CONSTRAINT "unknown_tags_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rejected_messages" ADD CONSTRAINT "rejected_messages_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scan_submissions" ADD CONSTRAINT "scan_submissions_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- From here on: what Prisma's schema language cannot say.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Checks ---------------------------------------------------------------------------------------------------------

ALTER TABLE memberships
  ADD CONSTRAINT memberships_role_check CHECK (role IN ('viewer', 'operator', 'manager', 'admin'));

ALTER TABLE assets
  ADD CONSTRAINT assets_external_key_check CHECK (external_key ~ '^[A-Za-z0-9-]{1,255}$'),
  ADD CONSTRAINT assets_metadata_check CHECK (json_typeof(metadata) = 'object');

ALTER TABLE locations
  ADD CONSTRAINT locations_external_key_check CHECK (external_key ~ '^[A-Za-z0-9-]{1,255}$'),
  ADD CONSTRAINT locations_parent_check CHECK (parent_id <> id);

-- A tag belongs to exactly one parent.
ALTER TABLE tags
  ADD CONSTRAINT tags_parent_check CHECK (num_nonnulls(asset_id, location_id) = 1),
  ADD CONSTRAINT tags_tag_type_check CHECK (tag_type IN ('rfid', 'ble', 'barcode')),
  ADD CONSTRAINT tags_value_check CHECK (char_length(value) BETWEEN 1 AND 255);

ALTER TABLE readers
  ADD CONSTRAINT readers_resolution_check CHECK (resolution_seconds >= 0);

-- Natural keys, unique among live rows; the included columns let a deep page skip rows without reading them ---------

CREATE UNIQUE INDEX assets_live_external_key ON assets (org_id, external_key)
  INCLUDE (id, is_active, valid_from, valid_to) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX locations_live_external_key ON locations (org_id, external_key)
  INCLUDE (id, is_active, valid_from, valid_to) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX tags_live_pair ON tags (org_id, tag_type, value) WHERE deleted_at IS NULL;

-- Orders of the lists ----------------------------------------------------------------------------------------------

CREATE INDEX assets_external_key ON assets (org_id, external_key, id);
CREATE INDEX assets_live_name ON assets (org_id, name, id)
  INCLUDE (is_active, valid_from, valid_to) WHERE deleted_at IS NULL;
CREATE INDEX assets_live_created_at ON assets (org_id, created_at, id)
  INCLUDE (is_active, valid_from, valid_to) WHERE deleted_at IS NULL;
CREATE INDEX assets_live_updated_at ON assets (org_id, updated_at, id)
  INCLUDE (is_active, valid_from, valid_to) WHERE deleted_at IS NULL;
CREATE INDEX locations_external_key ON locations (org_id, external_key, id);
CREATE INDEX locations_live_name ON locations (org_id, name, id)
  INCLUDE (is_active, valid_from, valid_to) WHERE deleted_at IS NULL;
CREATE INDEX locations_live_created_at ON locations (org_id, created_at, id)
  INCLUDE (is_active, valid_from, valid_to) WHERE deleted_at IS NULL;
CREATE INDEX locations_live_parent ON locations (org_id, parent_id, id) WHERE deleted_at IS NULL;

-- The few rows that are not effective are subtracted from the kept counts.
CREATE INDEX assets_valid_from ON assets (org_id, valid_from);
CREATE INDEX assets_valid_to ON assets (org_id, valid_to) WHERE valid_to IS NOT NULL;
CREATE INDEX locations_valid_from ON locations (org_id, valid_from);
CREATE INDEX locations_valid_to ON locations (org_id, valid_to) WHERE valid_to IS NOT NULL;

CREATE INDEX tags_asset ON tags (org_id, asset_id) WHERE asset_id IS NOT NULL;
CREATE INDEX tags_location ON tags (org_id, location_id) WHERE location_id IS NOT NULL;

-- Search -----------------------------------------------------------------------------------------------------------

-- Folds case by Unicode's rules whatever the database's own locale is; a Greek word's last letter is folded with the rest.
CREATE FUNCTION fold_case(text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN translate(lower($1 COLLATE "und-x-icu"), 'ς', 'σ') COLLATE "C";

-- The unit separator can stand in none of the three, so no search matches across them.
CREATE FUNCTION search_text(name text, external_key text, description text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN translate(
    lower((name || E'\x1f' || external_key || E'\x1f' || coalesce(description, '')) COLLATE "und-x-icu"), 'ς', 'σ'
  ) COLLATE "C";

CREATE INDEX assets_search ON assets USING gin (org_id, search_text(name, external_key, description) gin_trgm_ops)
  WHERE deleted_at IS NULL;
CREATE INDEX locations_search ON locations USING gin (org_id, search_text(name, external_key, description) gin_trgm_ops)
  WHERE deleted_at IS NULL;
CREATE INDEX tags_search ON tags USING gin (org_id, fold_case(value) gin_trgm_ops) WHERE deleted_at IS NULL;

-- The form in which a read that matches no stored value exactly is compared: people type MAC addresses with colons.
CREATE FUNCTION tag_normal_form(tag_type text, value text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN CASE WHEN $1 = 'ble' THEN upper(translate($2, ':-', '') COLLATE "C") ELSE upper($2 COLLATE "C") END;

CREATE INDEX tags_live_normal_form ON tags (org_id, tag_type, tag_normal_form(tag_type, value)) WHERE deleted_at IS NULL;

-- Minted keys: free ranges of ASSET-NNNN and LOC-NNNN ----------------------------------------------------------------

-- The slot that a key occupies: the prefix and exactly the canonical digits of a number from 1, at least four of them.
CREATE FUNCTION key_slot(prefix text, external_key text) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN CASE
    WHEN external_key ~ ('^' || prefix || '([0-9]{4}|[1-9][0-9]{4,14})$') AND external_key <> prefix || '0000'
    THEN substr(external_key, length(prefix) + 1)::bigint
  END;

CREATE FUNCTION add_free_key_slots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO free_key_slots (org_id, kind, first_slot, last_slot)
  VALUES (NEW.id, 'asset', 1, 999999999999999), (NEW.id, 'location', 1, 999999999999999);
  RETURN NULL;
END
$$;

CREATE TRIGGER add_free_key_slots AFTER INSERT ON organizations
  FOR EACH ROW EXECUTE FUNCTION add_free_key_slots();

-- Whoever takes or frees a slot holds the organisation's series until the end of the transaction, and takes hold of it
-- before the row reaches the unique index: minting holds the same lock, so neither waits for the other in a circle.
CREATE FUNCTION lock_key_slots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF key_slot(TG_ARGV[1], NEW.external_key) IS NOT NULL
     OR (TG_OP = 'UPDATE' AND key_slot(TG_ARGV[1], OLD.external_key) IS NOT NULL) THEN
    PERFORM pg_advisory_xact_lock(TG_ARGV[0]::int, NEW.org_id);
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER lock_key_slots_insert BEFORE INSERT ON assets
  FOR EACH ROW EXECUTE FUNCTION lock_key_slots('1', 'ASSET-');
CREATE TRIGGER lock_key_slots_update BEFORE UPDATE OF external_key, deleted_at ON assets
  FOR EACH ROW EXECUTE FUNCTION lock_key_slots('1', 'ASSET-');
CREATE TRIGGER lock_key_slots_insert BEFORE INSERT ON locations
  FOR EACH ROW EXECUTE FUNCTION lock_key_slots('2', 'LOC-');
CREATE TRIGGER lock_key_slots_update BEFORE UPDATE OF external_key, deleted_at ON locations
  FOR EACH ROW EXECUTE FUNCTION lock_key_slots('2', 'LOC-');

CREATE FUNCTION take_key_slots(owner int, series text, slots bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(slots) = 1 THEN
    -- The usual case, the lowest slot of a range: the row's key stays, so the update is a cheap one.
    UPDATE free_key_slots
       SET first_slot = first_slot + 1
     WHERE org_id = owner
       AND kind = series
       AND last_slot = (SELECT min(last_slot) FROM free_key_slots
                         WHERE org_id = owner AND kind = series AND last_slot >= slots[1])
       AND first_slot = slots[1]
       AND last_slot > slots[1];
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  WITH taken AS (
    SELECT DISTINCT unnest(slots) AS slot
  ), hit AS (
    DELETE FROM free_key_slots f
     WHERE f.org_id = owner
       AND f.kind = series
       AND f.last_slot IN (
         SELECT (SELECT min(g.last_slot) FROM free_key_slots g
                  WHERE g.org_id = owner AND g.kind = series AND g.last_slot >= taken.slot)
           FROM taken)
    RETURNING f.first_slot, f.last_slot
  ), cuts AS (
    SELECT h.first_slot, h.last_slot, t.slot,
           lag(t.slot) OVER (PARTITION BY h.last_slot ORDER BY t.slot) AS previous,
           lead(t.slot) OVER (PARTITION BY h.last_slot ORDER BY t.slot) AS following
      FROM hit h
      LEFT JOIN taken t ON t.slot BETWEEN h.first_slot AND h.last_slot
  )
  INSERT INTO free_key_slots (org_id, kind, first_slot, last_slot)
  SELECT owner, series, coalesce(previous + 1, first_slot), coalesce(slot - 1, last_slot)
    FROM cuts
   WHERE coalesce(previous + 1, first_slot) <= coalesce(slot - 1, last_slot)
  UNION ALL
  SELECT owner, series, slot + 1, last_slot
    FROM cuts
   WHERE following IS NULL
     AND slot + 1 <= last_slot;
END
$$;

CREATE FUNCTION give_key_slots(owner int, series text, slots bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH given AS (
    SELECT DISTINCT unnest(slots) AS slot
  ), islands AS (
    SELECT min(slot) AS first_slot, max(slot) AS last_slot
      FROM (SELECT slot, slot - row_number() OVER (ORDER BY slot) AS island FROM given) numbered
     GROUP BY island
  ), touching AS (
    DELETE FROM free_key_slots f
     WHERE f.org_id = owner
       AND f.kind = series
       AND f.last_slot IN (
         SELECT first_slot - 1 FROM islands
         UNION ALL
         SELECT (SELECT min(g.last_slot) FROM free_key_slots g
                  WHERE g.org_id = owner AND g.kind = series AND g.last_slot > islands.last_slot)
           FROM islands)
    RETURNING f.first_slot, f.last_slot
  ), pieces AS (
    SELECT first_slot, last_slot FROM islands
    UNION ALL
    SELECT first_slot, last_slot FROM touching
  ), marked AS (
    SELECT first_slot, last_slot,
           (first_slot IS DISTINCT FROM lag(last_slot) OVER (ORDER BY first_slot) + 1)::int AS starts
      FROM pieces
  ), runs AS (
    SELECT first_slot, last_slot, sum(starts) OVER (ORDER BY first_slot) AS run FROM marked
  )
  INSERT INTO free_key_slots (org_id, kind, first_slot, last_slot)
  SELECT owner, series, min(first_slot), max(last_slot)
    FROM runs
   GROUP BY run;
END
$$;

CREATE FUNCTION keep_key_slots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
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

-- Row counts -------------------------------------------------------------------------------------------------------

-- Spread over shards, so that writers of one organisation seldom wait for each other.
CREATE FUNCTION keep_row_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, shard, n)
    SELECT org_id, TG_ARGV[0], is_active, deleted_at IS NOT NULL, pg_backend_pid() % 16, count(*)
      FROM new_rows
     GROUP BY org_id, is_active, deleted_at IS NOT NULL
     ORDER BY 1, 3, 4
    ON CONFLICT (org_id, kind, is_active, is_deleted, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, shard, n)
    SELECT org_id, TG_ARGV[0], is_active, deleted_at IS NOT NULL, pg_backend_pid() % 16, -count(*)
      FROM old_rows
     GROUP BY org_id, is_active, deleted_at IS NOT NULL
     ORDER BY 1, 3, 4
    ON CONFLICT (org_id, kind, is_active, is_deleted, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  ELSE
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, shard, n)
    SELECT org_id, TG_ARGV[0], is_active, is_deleted, pg_backend_pid() % 16, sum(change)
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

-- A position counts as deleted when its asset is.
CREATE FUNCTION keep_position_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'assets' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, shard, n)
    SELECT moved.org_id, 'position', true, moved.is_deleted, pg_backend_pid() % 16, sum(moved.change)
      FROM (SELECT n.org_id, n.id, (n.deleted_at IS NOT NULL) = side.now_deleted AS is_deleted, side.change
              FROM old_rows o
              JOIN new_rows n USING (id)
             CROSS JOIN (VALUES (true, 1), (false, -1)) AS side (now_deleted, change)
             WHERE (o.deleted_at IS NULL) <> (n.deleted_at IS NULL)) moved
      JOIN asset_positions p ON p.org_id = moved.org_id AND p.asset_id = moved.id
     GROUP BY moved.org_id, moved.is_deleted
     ORDER BY 1, 4
    ON CONFLICT (org_id, kind, is_active, is_deleted, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, shard, n)
    SELECT p.org_id, 'position', true, a.deleted_at IS NOT NULL, pg_backend_pid() % 16, count(*)
      FROM new_rows p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
     GROUP BY p.org_id, a.deleted_at IS NOT NULL
     ORDER BY 1, 4
    ON CONFLICT (org_id, kind, is_active, is_deleted, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  ELSE
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, shard, n)
    SELECT p.org_id, 'position', true, a.deleted_at IS NOT NULL, pg_backend_pid() % 16, -count(*)
      FROM old_rows p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
     GROUP BY p.org_id, a.deleted_at IS NOT NULL
     ORDER BY 1, 4
    ON CONFLICT (org_id, kind, is_active, is_deleted, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  END IF;
  RETURN NULL;
END
$$;

ALTER TABLE row_counts SET (fillfactor = 50);
ALTER TABLE free_key_slots SET (fillfactor = 50);
ALTER TABLE asset_positions SET (fillfactor = 80);
ALTER TABLE readers SET (fillfactor = 50);
ALTER TABLE unknown_tags SET (fillfactor = 80);

CREATE TRIGGER keep_key_slots_insert AFTER INSERT ON assets REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_key_slots('asset', 'ASSET-');
CREATE TRIGGER keep_row_counts_insert AFTER INSERT ON assets REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('asset');
CREATE TRIGGER keep_key_slots_update AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_key_slots('asset', 'ASSET-');
CREATE TRIGGER keep_row_counts_update AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('asset');
CREATE TRIGGER keep_key_slots_delete AFTER DELETE ON assets REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_key_slots('asset', 'ASSET-');
CREATE TRIGGER keep_row_counts_delete AFTER DELETE ON assets REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('asset');

CREATE TRIGGER keep_key_slots_insert AFTER INSERT ON locations REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_key_slots('location', 'LOC-');
CREATE TRIGGER keep_row_counts_insert AFTER INSERT ON locations REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('location');
CREATE TRIGGER keep_key_slots_update AFTER UPDATE ON locations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_key_slots('location', 'LOC-');
CREATE TRIGGER keep_row_counts_update AFTER UPDATE ON locations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('location');
CREATE TRIGGER keep_key_slots_delete AFTER DELETE ON locations REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_key_slots('location', 'LOC-');
CREATE TRIGGER keep_row_counts_delete AFTER DELETE ON locations REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('location');

CREATE TRIGGER keep_position_counts_update AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_position_counts();
CREATE TRIGGER keep_position_counts_insert AFTER INSERT ON asset_positions REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_position_counts();
CREATE TRIGGER keep_position_counts_delete AFTER DELETE ON asset_positions REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_position_counts();

-- Scan events: the tenant wall of an append-only table --------------------------------------------------------------

-- A foreign key would look every row up by itself; one set-based look per statement keeps the same promise. Each asset and
-- location is looked up once and by its key (`LIMIT` keeps the planner from reading whole tables instead).
CREATE FUNCTION refuse_foreign_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT org_id, asset_id FROM new_rows) e
      LEFT JOIN LATERAL (SELECT a.id FROM assets a WHERE a.org_id = e.org_id AND a.id = e.asset_id LIMIT 1) a ON true
     WHERE a.id IS NULL
  ) OR EXISTS (
    SELECT FROM (SELECT DISTINCT org_id, location_id FROM new_rows WHERE location_id IS NOT NULL) e
      LEFT JOIN LATERAL (SELECT l.id FROM locations l WHERE l.org_id = e.org_id AND l.id = e.location_id LIMIT 1) l ON true
     WHERE l.id IS NULL
  ) THEN
    RAISE EXCEPTION 'scan event refers to a row of no or another organization'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER refuse_foreign_events AFTER INSERT ON scan_events REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_foreign_events();
