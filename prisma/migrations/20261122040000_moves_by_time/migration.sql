-- What moved since an instant. `located_since` changes only where the location does, which has an entry of its own in an
-- index of this table anyway; a read of a parked asset still costs none.
CREATE INDEX asset_positions_located_since ON asset_positions (org_id, located_since);
