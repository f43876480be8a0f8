-- Locks: ACCESS EXCLUSIVE on asset_positions, position_listings and slot_counts, for milliseconds: no row is read or written.

-- Within a slot, listings are ordered by the milliseconds of the slot at which the asset was last seen. 10000 is unknown: an asset
-- that is read again within seconds does not change its listing. Rows from before are unknown until they are listed again.
ALTER TABLE position_listings
  ADD COLUMN slot_ms SMALLINT NOT NULL DEFAULT 10000,
  -- 1: the asset is deleted; 2: it is marked as expired; 3: both.
  ADD COLUMN hidden_by SMALLINT NOT NULL DEFAULT 0;

-- Whether `slot_ms` of the listing is known. Positions from before are not listed so; those that are inserted are.
ALTER TABLE asset_positions ADD COLUMN is_listed_exactly BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE asset_positions ALTER COLUMN is_listed_exactly SET DEFAULT true;

-- Listings of assets that are hidden by their deletion alone. The column `n` counts those of assets that are shown.
ALTER TABLE slot_counts ADD COLUMN n_deleted BIGINT NOT NULL DEFAULT 0;
