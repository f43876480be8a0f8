-- What pages far down and their counts are found on: indexes that need no look at the rows.

-- A deep page begins where as many live rows end as are to be skipped. The fewer columns, the faster they are passed.
CREATE INDEX assets_live_order ON assets (org_id, external_key) WHERE deleted_at IS NULL;

-- Rows outside their window are counted for every list, so each of them has to be cheap.
DROP INDEX assets_valid_to;
CREATE INDEX assets_valid_to ON assets (org_id, valid_to)
  INCLUDE (id, external_key, is_active, valid_from, deleted_at) WHERE valid_to IS NOT NULL;
DROP INDEX locations_valid_to;
CREATE INDEX locations_valid_to ON locations (org_id, valid_to)
  INCLUDE (is_active, valid_from, deleted_at) WHERE valid_to IS NOT NULL;

-- Positions of deleted assets are not shown; those before a deep page of the report are counted.
CREATE INDEX assets_deleted ON assets (org_id, id) WHERE deleted_at IS NOT NULL;
