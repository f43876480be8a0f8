-- Trigger on `scan_events`, after each insertion. Rejects events whose asset or location does not exist in the same
-- organization, with the error of a foreign key.
--
-- A foreign key would look up every row; this function looks up each asset and each location of a statement once.
-- `LIMIT` and `+ 0` make the planner use the primary keys, which begin with the id. Without statistics, as in a new
-- database, it would consider any index that begins with the organization equally good.
CREATE OR REPLACE FUNCTION refuse_foreign_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT org_id, asset_id FROM new_rows) e
      LEFT JOIN LATERAL (SELECT a.id FROM assets a WHERE a.id = e.asset_id AND a.org_id + 0 = e.org_id LIMIT 1) a ON true
     WHERE a.id IS NULL
  ) OR EXISTS (
    SELECT FROM (SELECT DISTINCT org_id, location_id FROM new_rows WHERE location_id IS NOT NULL) e
      LEFT JOIN LATERAL (SELECT l.id FROM locations l WHERE l.id = e.location_id AND l.org_id + 0 = e.org_id LIMIT 1) l ON true
     WHERE l.id IS NULL
  ) THEN
    RAISE EXCEPTION 'scan event refers to a row of no or another organization'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END
$$;
