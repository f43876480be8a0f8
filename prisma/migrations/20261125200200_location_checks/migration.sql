-- Locks: SHARE ROW EXCLUSIVE on locations, for milliseconds: the new table is empty.
CREATE TABLE location_checks (
  org_id INTEGER NOT NULL,
  day DATE NOT NULL,
  location_id INTEGER NOT NULL,
  shown_location_id INTEGER NOT NULL,
  checks INTEGER NOT NULL,
  CONSTRAINT location_checks_pkey PRIMARY KEY (org_id, day, location_id, shown_location_id)
);

ALTER TABLE location_checks
  ADD CONSTRAINT location_checks_org_id_location_id_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id) ON DELETE CASCADE;
