-- name: readDefinitions
SELECT p.oid::regprocedure::text AS signature, pg_get_functiondef(p.oid) AS definition
FROM pg_proc p
WHERE p.pronamespace = 'public'::regnamespace
AND p.prokind = 'f'
AND NOT EXISTS (
  SELECT
  FROM pg_depend d
  WHERE d.classid = 'pg_proc'::regclass
  AND d.objid = p.oid
  AND d.deptype = 'e'
)
ORDER BY 1;

-- name: readFileDefinitions
SAVEPOINT originals;

-- name: readFileDefinitions
CREATE SCHEMA originals;

-- name: readFileDefinitions
ALTER FUNCTION announce_alerts()
SET SCHEMA originals;

-- name: readFileDefinitions
-- further: 006284f41f 0308340951 0414017977 0c6f29577c 0d223d1b3e 0e4397ef5f 18749f10f8 206aee8ffe 3cb053744b 40a5f9585c 4b1119348e 4da913528e
-- further: 5677a94d6f 5af144c50f 6710d0883d 9536143387 9a2c3b096c 9a72e71b97 a2ab82175f b07d0a522d b2d965fb43 b5e208a6be b680dbe0be b92791a92b
-- further: c14c3c617c c80aaff345 cc150db9dc cf7eb0827d df82ff8576 e91d9b35ef ea71fa7a83 f4852a7238 f72b373199 fd6d914424 ff7a060fdc
