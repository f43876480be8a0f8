-- Ends a statement that stored fewer rows than it was to store, with a state of its own (server/tracking/scans/storage-queries.ts): the
-- commit that was sent with it then changes nothing.
CREATE OR REPLACE FUNCTION require_all_stored(stored bigint, expected bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF stored <> expected THEN
    RAISE EXCEPTION '% of % rows could be stored', stored, expected USING ERRCODE = 'WA001';
  END IF;
  RETURN true;
END
$$;
