-- Locks: SHARE ROW EXCLUSIVE on organizations, users and locations, for milliseconds: the new tables are empty.

CREATE TABLE audits (
  -- The id of the submission that the audit was saved with.
  id text COLLATE "C" NOT NULL,
  org_id int NOT NULL,
  location_id int NOT NULL,
  started_at timestamptz(3) NOT NULL,
  saved_at timestamptz(3) NOT NULL,
  -- Null once the person is gone.
  saved_by int,
  found int NOT NULL,
  missing int NOT NULL,
  unexpected int NOT NULL,
  unassigned int NOT NULL,
  CONSTRAINT audits_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT audits_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT audits_location_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations (org_id, id)
    ON DELETE NO ACTION ON UPDATE NO ACTION,
  CONSTRAINT audits_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES users (id) ON DELETE SET NULL ON UPDATE NO ACTION
);

-- The list, newest first; and the audits of a location.
CREATE INDEX audits_saved_at ON audits (org_id, saved_at DESC, id DESC);
CREATE INDEX audits_location ON audits (org_id, location_id, saved_at DESC, id DESC);
-- For the deletion of a person.
CREATE INDEX audits_saved_by ON audits (saved_by);

CREATE TABLE audit_items (
  org_id int NOT NULL,
  audit_id text COLLATE "C" NOT NULL,
  -- From 1, in the order in which they are listed.
  position int NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  -- Null for a tag that is not assigned to anything.
  asset_id int,
  -- The name that the asset had then, or the value of the tag.
  name text COLLATE "C" NOT NULL,
  external_key text COLLATE "C",
  -- Where the asset had been seen last when the audit was saved, and when.
  last_location_id int,
  last_location_name text COLLATE "C",
  last_seen_at timestamptz(3),
  CONSTRAINT audit_items_pkey PRIMARY KEY (org_id, audit_id, position),
  CONSTRAINT audit_items_audit_fkey FOREIGN KEY (org_id, audit_id) REFERENCES audits (org_id, id)
    ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT audit_items_outcome_check CHECK (outcome IN ('found', 'missing', 'unexpected', 'unassigned'))
);
