-- Locks: ACCESS EXCLUSIVE on antenna_levels, location_signatures and outbox_events, SHARE ROW EXCLUSIVE on locations, for
-- milliseconds: no row is read or written.
DROP TABLE antenna_levels;
DROP TABLE location_signatures;
CREATE TABLE location_pictures (
  org_id INTEGER NOT NULL,
  location_id INTEGER NOT NULL,
  visits REAL NOT NULL,
  antennas JSONB NOT NULL,
  reset_at TIMESTAMPTZ(3),
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT location_pictures_pkey PRIMARY KEY (location_id),
  CONSTRAINT location_pictures_org_id_location_id_fkey FOREIGN KEY (org_id, location_id)
    REFERENCES locations(org_id, id) ON DELETE CASCADE
);
CREATE INDEX location_pictures_org ON location_pictures (org_id, location_id);
ALTER TABLE outbox_events DROP COLUMN ready_at;
