-- Locks: ACCESS EXCLUSIVE on asset_kinds and asset_placements, SHARE ROW EXCLUSIVE on assets, organizations and users, for
-- milliseconds: the new columns are constant, and the new table is empty.
ALTER TABLE asset_kinds ADD COLUMN holds_assets boolean NOT NULL DEFAULT false;

ALTER TABLE asset_placements ADD COLUMN container_id integer, ADD COLUMN with_contents boolean NOT NULL DEFAULT false;

CREATE TABLE asset_containments (
  id SERIAL,
  org_id integer NOT NULL,
  asset_id integer NOT NULL,
  container_id integer NOT NULL,
  since timestamptz(3) NOT NULL,
  put_in_by integer,
  until timestamptz(3),
  ended_by text COLLATE "C",
  taken_out_by integer,
  CONSTRAINT asset_containments_pkey PRIMARY KEY (id),
  CONSTRAINT asset_containments_not_in_itself CHECK (asset_id <> container_id),
  CONSTRAINT asset_containments_end CHECK ((until IS NULL) = (ended_by IS NULL)),
  CONSTRAINT asset_containments_ended_by CHECK (ended_by IN ('person', 'reads', 'deletion')),
  CONSTRAINT asset_containments_org_id_asset_id_fkey FOREIGN KEY (org_id, asset_id) REFERENCES assets(org_id, id) ON DELETE CASCADE,
  CONSTRAINT asset_containments_org_id_container_id_fkey FOREIGN KEY (org_id, container_id) REFERENCES assets(org_id, id) ON DELETE CASCADE,
  CONSTRAINT asset_containments_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT asset_containments_put_in_by_fkey FOREIGN KEY (put_in_by) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT asset_containments_taken_out_by_fkey FOREIGN KEY (taken_out_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX asset_containments_open ON asset_containments (org_id, asset_id) WHERE until IS NULL;
CREATE INDEX asset_containments_contents ON asset_containments (org_id, container_id, asset_id) WHERE until IS NULL;
CREATE INDEX asset_containments_of_asset ON asset_containments (org_id, asset_id, since DESC);
CREATE INDEX asset_containments_of_container ON asset_containments (org_id, container_id, since);
CREATE INDEX asset_containments_put_in_by ON asset_containments (put_in_by);
CREATE INDEX asset_containments_taken_out_by ON asset_containments (taken_out_by);
