-- name: attempt
SAVEPOINT step;

-- name: attempt
-- Formats an instant as the public API does: `YYYY-MM-DDTHH:MM:SS.mmmZ` in UTC. Null stays null. CREATE 
  R REPLACE FUNCTION api_timestamp(at timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE STRICT RETURN to_char($1 AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');;

-- name: attempt
-- Makes a statement fail that stored fewer rows than expected,
  with its own SQLSTATE -- (server/tracking/scans/storage-queries.ts). The commit that was sent with the statement then changes nothing. CREATE OR REPLACE FUNCTION require_all_stored(stored bigint, expected bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF stored <> expected THEN
    RAISE EXCEPTION '% of % rows could be stored', stored, expected USING ERRCODE = 'WA001';
  END IF;
  RETURN true;
END
$$;;

-- name: attempt
-- further: 01a6f8d690 0235b62d84 03e40fff19 067aafe8da 20f3166c3c 23aa551964 25b37878ab 283914aefe 31c0adf7e0 3864bef197 4cbd6fd788 4dc4ef538c
-- further: 4f6335144e 563ae706f1 62eeb7ed78 65e5b4ad0d 6784df3fe4 69bd892038 69cf6a7d51 7134165f17 73f87ff99b 78c06b8aa3 7d8a5bf6c4 90d66934e4
-- further: 90ed828b99 934106d77e a9910c33c2 ad3745c8b9 af7dc993c9 bbdac17ebc c609cbaa4e c69facfe10 c815c04cb7 d0b5b2fa19 d3ad4e2e14 e29770b546
-- further: e44ac3bc5b f194624dee f412ca564b fabf1d4920

-- name: functionNames
SELECT proname AS name
FROM pg_proc
WHERE pronamespace = 'public'::regnamespace;
