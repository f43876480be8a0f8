-- Locks: SHARE ROW EXCLUSIVE on assets and users, for milliseconds: no row is read or written.
CREATE TABLE asset_placements (
  org_id INT NOT NULL,
  asset_id INT NOT NULL,
  placed_at TIMESTAMPTZ(3) NOT NULL,
  seen_before TIMESTAMPTZ(3),
  placed_by INT,
  file_name TEXT COLLATE "C",
  CONSTRAINT asset_placements_pkey PRIMARY KEY (org_id, asset_id, placed_at),
  CONSTRAINT asset_placements_org_id_asset_id_fkey FOREIGN KEY (org_id, asset_id) REFERENCES assets (org_id, id) ON DELETE CASCADE,
  CONSTRAINT asset_placements_placed_by_fkey FOREIGN KEY (placed_by) REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX asset_placements_placed_at ON asset_placements (org_id, placed_at);
CREATE INDEX asset_placements_seen_before ON asset_placements (org_id, seen_before);
CREATE INDEX asset_placements_placed_by ON asset_placements (placed_by);
