-- Locks: ACCESS EXCLUSIVE on organizations, for milliseconds: no row is read or written.

ALTER TABLE organizations
  ADD COLUMN sample_location_ids INT[] NOT NULL DEFAULT '{}',
  ADD COLUMN sample_asset_ids INT[] NOT NULL DEFAULT '{}';
