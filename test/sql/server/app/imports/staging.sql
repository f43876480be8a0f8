-- name: stageRows
CREATE TEMP TABLE staged (line int PRIMARY KEY, is_valid boolean NOT NULL, external_key text COLLATE "C", name text COLLATE "C",
  description text COLLATE "C", is_active boolean, metadata json, valid_from timestamptz(3), valid_to timestamptz(3),
  raw_name text COLLATE "C", details json, parent_key text COLLATE "C", parent_line int, parents int NOT NULL DEFAULT 0,
  location_key text COLLATE "C", location text COLLATE "C", kind text COLLATE "C", kind_id int, belongs_to text COLLATE "C",
  belongs_to_id int, belongs_to_found int NOT NULL DEFAULT 0, container_key text COLLATE "C", place text COLLATE "C",
  place_id int, places int NOT NULL DEFAULT 0, id int, new_id int, parent_id int, updated_at timestamptz(3),
  row_changes boolean NOT NULL DEFAULT false, tags_change boolean NOT NULL DEFAULT false,
  is_moved boolean NOT NULL DEFAULT false, is_repacked boolean NOT NULL DEFAULT false) ON COMMIT DROP;

-- name: stageRows
CREATE TEMP TABLE staged_tags (line int NOT NULL, ordinal int NOT NULL, tag_type text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL, raw text COLLATE "C", is_new boolean NOT NULL DEFAULT true) ON COMMIT DROP;

-- name: stageRows
-- further: 0d84922201 97f9512419 bef73d8464 ca39299578

-- name: pageAfter
SELECT line, cells
FROM import_rows
WHERE org_id = $1
AND import_id = $2::uuid
AND line > $3
ORDER BY line
LIMIT $4;

-- name: storePage
INSERT INTO staged (line, is_valid, external_key, name, description, is_active, metadata, valid_from, valid_to, raw_name, details,
  parent_key, location_key, location, kind, belongs_to, container_key, place)
SELECT line, is_valid, external_key, name, description, is_active, metadata::json, to_timestamp(valid_from / 1000),
  to_timestamp(valid_to / 1000), raw_name, details::json, parent_key, location_key, location, kind, belongs_to, container_key,
  place
FROM json_to_recordset($1::json) AS given (line int, is_valid boolean, external_key text, name text, description text,
  is_active boolean, metadata text, valid_from float8, valid_to float8, raw_name text, details text, parent_key text,
  location_key text, location text, kind text, belongs_to text, container_key text, place text);

-- name: storePage
INSERT INTO staged_tags (line, ordinal, tag_type, value, raw)
SELECT line, ordinal, tag_type, value, raw
FROM json_to_recordset($1::json) AS given (line int, ordinal int, tag_type text, value text, raw text);
