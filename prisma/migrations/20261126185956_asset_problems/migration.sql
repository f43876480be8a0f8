-- Locks: SHARE ROW EXCLUSIVE on organizations, assets and users for milliseconds, as the new table is empty: writes of them wait.

CREATE TABLE asset_problems (
  id SERIAL NOT NULL,
  org_id INT NOT NULL,
  asset_id INT NOT NULL,
  text TEXT COLLATE "C" NOT NULL,
  reported_at TIMESTAMPTZ(3) NOT NULL,
  reported_by INT,
  resolved_at TIMESTAMPTZ(3),
  CONSTRAINT asset_problems_pkey PRIMARY KEY (id),
  CONSTRAINT asset_problems_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT asset_problems_org_id_asset_id_fkey FOREIGN KEY (org_id, asset_id) REFERENCES assets (org_id, id) ON DELETE CASCADE,
  CONSTRAINT asset_problems_reported_by_fkey FOREIGN KEY (reported_by) REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX asset_problems_asset ON asset_problems (org_id, asset_id);
CREATE INDEX asset_problems_reported_by ON asset_problems (reported_by);
