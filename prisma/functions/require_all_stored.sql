-- Makes a statement fail that stored fewer rows than expected, with its own SQLSTATE
-- (server/tracking/scans/storage-queries.ts). The commit that was sent with the statement then changes nothing.
CREATE OR REPLACE FUNCTION require_all_stored(stored bigint, expected bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF stored <> expected THEN
    RAISE EXCEPTION '% of % rows could be stored', stored, expected USING ERRCODE = 'WA001';
  END IF;
  RETURN true;
END
$$;
