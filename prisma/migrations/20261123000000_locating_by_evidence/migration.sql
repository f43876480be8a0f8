-- Prepares the tables for locating by evidence: positions that change with every read in rows without secondary indexes,
-- what lists search by in rows that change seldom, and visits as rows of their own.
--
-- Locks: ACCESS EXCLUSIVE on asset_positions, readers and reader_antennas until the end, since columns and indexes change.
-- The copy of the positions takes about 4 s for a million rows, the visits about 6 s for a million events; scan_events is
-- only read. Stop ingestion before applying it: releases before this one call a function that it drops.

-- 1. Positions: one row for each asset that was seen, found by its key alone.

ALTER TABLE asset_positions
  -- The location of the newest event, where last_event_at is known.
  ADD COLUMN last_event_location_id int,
  -- What deciding where the asset is has to remember: `encodeState` of server/locating. Empty: nothing yet.
  ADD COLUMN locating text COLLATE "C" NOT NULL DEFAULT '';
UPDATE asset_positions SET last_event_location_id = location_id WHERE last_event_at IS NOT NULL;
COMMENT ON COLUMN asset_positions.last_event_at IS 'Time of the newest event; null: not known here, ask the events';

-- A position's location is that of an event of the same transaction, and events are checked. A foreign key would look up
-- each location again for each move.
ALTER TABLE asset_positions DROP CONSTRAINT asset_positions_org_id_location_id_fkey;

-- 2. Listings: what positions are searched, ordered and counted by.

CREATE TABLE position_listings (
  org_id int NOT NULL,
  asset_id int NOT NULL,
  location_id int,
  located_since timestamptz(3) NOT NULL,
  -- Ten seconds of asset_last_seen each, so that an asset which is read again and again changes its row every ten seconds.
  seen_slot int NOT NULL,
  -- By the asset alone: next to indexes that begin with the organization, the planner would often take one of these.
  CONSTRAINT position_listings_pkey PRIMARY KEY (asset_id)
);
INSERT INTO position_listings (org_id, asset_id, location_id, located_since, seen_slot)
SELECT org_id, asset_id, location_id, located_since, seen_slot FROM asset_positions;

ALTER TABLE position_listings
  ADD CONSTRAINT position_listings_org_id_asset_id_fkey FOREIGN KEY (org_id, asset_id)
      REFERENCES assets (org_id, id) ON DELETE CASCADE ON UPDATE NO ACTION;
CREATE INDEX position_listings_seen_slot ON position_listings (org_id, seen_slot DESC);
CREATE INDEX position_listings_location ON position_listings (org_id, location_id, asset_id);
CREATE INDEX position_listings_located_since ON position_listings (org_id, located_since);
ALTER TABLE position_listings SET (fillfactor = 80);

DROP INDEX asset_positions_org_id_seen_slot_idx;
DROP INDEX asset_positions_org_id_location_id_asset_id_idx;
DROP INDEX asset_positions_located_since;
ALTER TABLE asset_positions DROP COLUMN seen_slot;
-- Half of each page is free for the next versions of its rows.
ALTER TABLE asset_positions SET (fillfactor = 50);

CREATE FUNCTION list_new_positions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO position_listings (org_id, asset_id, location_id, located_since, seen_slot)
  SELECT n.org_id, n.asset_id, n.location_id, n.located_since, floor(date_part('epoch', n.asset_last_seen) / 10)::int
    FROM new_rows n
   ORDER BY n.asset_id;
  RETURN NULL;
END
$$;

CREATE TRIGGER list_new_positions AFTER INSERT ON asset_positions REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION list_new_positions();

-- 3. Visits: the times that an asset spent at one location, as its events tell them. The newest one of an asset is open.

CREATE TABLE asset_visits (
  org_id int NOT NULL,
  asset_id int NOT NULL,
  arrived_at timestamptz(3) NOT NULL,
  -- Null while the visit lasts, as last_seen_at.
  left_at timestamptz(3),
  -- When it was seen there last.
  last_seen_at timestamptz(3),
  location_id int,
  CONSTRAINT asset_visits_pkey PRIMARY KEY (org_id, asset_id, arrived_at)
) WITH (fillfactor = 90);

INSERT INTO asset_visits (org_id, asset_id, arrived_at, left_at, last_seen_at, location_id)
SELECT v.org_id, v.asset_id, v.arrived_at, v.left_at, CASE WHEN v.left_at IS NOT NULL THEN v.last_seen_at END, v.location_id
  FROM (
    SELECT r.org_id, r.asset_id, min(r.at) AS arrived_at, max(r.at) AS last_seen_at, r.location_id,
           lead(min(r.at)) OVER (PARTITION BY r.org_id, r.asset_id ORDER BY min(r.at)) AS left_at
      FROM (
        SELECT t.*, sum(t.turns) OVER (PARTITION BY t.org_id, t.asset_id ORDER BY t.at) AS run
          FROM (
            SELECT e.org_id, e.asset_id, e.event_observed_at AS at, e.location_id,
                   (row_number() OVER w = 1 OR e.location_id IS DISTINCT FROM lag(e.location_id) OVER w)::int AS turns
              FROM scan_events e
            WINDOW w AS (PARTITION BY e.org_id, e.asset_id ORDER BY e.event_observed_at)
          ) t
      ) r
     GROUP BY r.org_id, r.asset_id, r.run, r.location_id
  ) v;

CREATE INDEX asset_visits_departures ON asset_visits (org_id, location_id, left_at DESC, asset_id) WHERE left_at IS NOT NULL;
-- For deleting what is older than the retention.
CREATE INDEX asset_visits_left_at ON asset_visits USING brin (left_at);

DROP TRIGGER note_departure ON asset_positions;
DROP FUNCTION note_departure();
DROP TABLE location_departures;

-- 4. How readers and antennas decide, and what is learned about them.

ALTER TABLE readers
  ADD COLUMN location_rule text COLLATE "C" NOT NULL DEFAULT 'evidence',
  -- What is added to the reader's time to get the service's, in milliseconds.
  ADD COLUMN clock_offset_ms bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT readers_location_rule_check CHECK (location_rule IN ('evidence', 'newest'));
ALTER TABLE reader_antennas
  ADD COLUMN kind text COLLATE "C" NOT NULL DEFAULT 'zone',
  ADD CONSTRAINT reader_antennas_kind_check CHECK (kind IN ('zone', 'portal'));

-- How strongly an antenna reads the assets that are at its own location.
CREATE TABLE antenna_levels (
  org_id int NOT NULL,
  reader_id int NOT NULL,
  antenna int NOT NULL,
  mean_dbm real NOT NULL,
  flicker_db real NOT NULL,
  gap_ms real NOT NULL,
  reads real NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT antenna_levels_pkey PRIMARY KEY (reader_id, antenna),
  CONSTRAINT antenna_levels_org_id_reader_id_fkey FOREIGN KEY (org_id, reader_id)
      REFERENCES readers (org_id, id) ON DELETE CASCADE ON UPDATE NO ACTION
) WITH (fillfactor = 60);

-- How strongly an antenna reads what is known to be at a location.
CREATE TABLE location_signatures (
  org_id int NOT NULL,
  location_id int NOT NULL,
  reader_id int NOT NULL,
  antenna int NOT NULL,
  reads real NOT NULL,
  mean_dbm real NOT NULL,
  variance real NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT location_signatures_pkey PRIMARY KEY (location_id, reader_id, antenna),
  CONSTRAINT location_signatures_org_id_location_id_fkey FOREIGN KEY (org_id, location_id)
      REFERENCES locations (org_id, id) ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT location_signatures_org_id_reader_id_fkey FOREIGN KEY (org_id, reader_id)
      REFERENCES readers (org_id, id) ON DELETE CASCADE ON UPDATE NO ACTION
) WITH (fillfactor = 60);
CREATE INDEX location_signatures_reader ON location_signatures (reader_id, antenna);
CREATE INDEX antenna_levels_org ON antenna_levels (org_id);
CREATE INDEX location_signatures_org ON location_signatures (org_id);

-- 5. Events are checked by the primary keys of assets and locations, whatever the planner knows of the tables.

CREATE OR REPLACE FUNCTION refuse_foreign_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT org_id, asset_id FROM new_rows) e
      LEFT JOIN LATERAL (SELECT a.id FROM assets a WHERE a.id = e.asset_id AND a.org_id + 0 = e.org_id LIMIT 1) a ON true
     WHERE a.id IS NULL
  ) OR EXISTS (
    SELECT FROM (SELECT DISTINCT org_id, location_id FROM new_rows WHERE location_id IS NOT NULL) e
      LEFT JOIN LATERAL (SELECT l.id FROM locations l WHERE l.id = e.location_id AND l.org_id + 0 = e.org_id LIMIT 1) l ON true
     WHERE l.id IS NULL
  ) THEN
    RAISE EXCEPTION 'scan event refers to a row of no or another organization'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END
$$;

-- 6. The rule is in server/locating now.

DROP FUNCTION ingest_reads(
  int[], int[], float8[], int[], int[], int[], int[], text[], text[], int[], int[], real[], float8[], float8[],
  int[], text[], text[], text[], float8[], int, boolean);
