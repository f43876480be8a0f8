-- name: reserveKeys
SELECT
  count(*) FILTER (
    WHERE
      external_key IS NULL
  )::int AS wanting,
  coalesce(
    array_agg(DISTINCT key_slot ($1, external_key)) FILTER (
      WHERE
        key_slot ($2, external_key) IS NOT NULL
    ),
    '{}'
  )::text AS given
FROM
  staged
WHERE
  id IS NULL;
-- plan:
--   Aggregate
--     Seq Scan staged

-- name: reserveKeys
INSERT INTO
  freed_keys (org_id, kind, slot, lease_token)
SELECT
  $1,
  $2,
  slot,
  $3::uuid
FROM
  unnest($4::bigint[]) AS slots (slot)
ON CONFLICT (org_id, kind, slot) DO UPDATE
SET
  lease_token = EXCLUDED.lease_token;
-- plan:
--   ModifyTable freed_keys
--     Function Scan

-- name: reserveKeys
SELECT
  lock_key_hint ($1::int, $2)::text;
-- plan:
--   Result

-- name: reserveKeys
SELECT
  next_free_slots ($1::int, $2, $3::int)::text AS slots;
-- plan:
--   Result

-- name: reserveKeys
UPDATE staged s
SET
  external_key = slot_key ($1, chosen.slot)
FROM
  (
    SELECT
      line,
      row_number() OVER (
        ORDER BY
          line
      ) AS n
    FROM
      staged
    WHERE
      id IS NULL
      AND external_key IS NULL
  ) wanting
  JOIN unnest($2::bigint[]) WITH ORDINALITY AS chosen (slot, n) USING (n)
WHERE
  s.line = wanting.line;
-- plan:
--   ModifyTable staged
--     Nested Loop
--       Merge Join
--         Function Scan
--         Sort
--           Subquery Scan
--             WindowAgg
--               Sort
--                 Index Scan staged by staged_external_key_idx
--       Index Scan staged by staged_pkey

-- name: releaseKeys
SET
  LOCAL plan_cache_mode = force_custom_plan;
-- plan:
--   none: not a query

-- name: releaseKeys
SELECT
  coalesce(array_agg(slot_key ($1, slot)), '{}') AS keys
FROM
  freed_keys
WHERE
  org_id = $2
  AND kind = $3
  AND lease_token = $4::uuid;
-- plan:
--   Aggregate
--     Index Scan freed_keys by freed_keys_pkey

-- name: releaseKeys
SELECT
  external_key
FROM
  assets
WHERE
  org_id = $1
  AND external_key = ANY ($2::text[])
  AND deleted_at IS NULL;
-- plan:
--   Index Only Scan assets by assets_live_external_key

-- name: releaseKeys
SELECT
  external_key
FROM
  locations
WHERE
  org_id = $1
  AND external_key = ANY ($2::text[])
  AND deleted_at IS NULL;
-- plan:
--   Index Only Scan locations by locations_live_external_key

-- name: releaseKeys
DELETE FROM freed_keys
WHERE
  org_id = $1
  AND kind = $2
  AND lease_token = $3::uuid
  AND slot = ANY (
    SELECT
      key_slot ($4, key)
    FROM
      unnest($5::text[]) AS keys (key)
  );
-- plan:
--   ModifyTable freed_keys
--     Hash Join
--       Index Scan freed_keys by freed_keys_pkey
--       Hash
--         Function Scan

-- name: releaseKeys
UPDATE freed_keys
SET
  lease_token = NULL
WHERE
  org_id = $1
  AND kind = $2
  AND lease_token = $3::uuid;
-- plan:
--   ModifyTable freed_keys
--     Index Scan freed_keys by freed_keys_pkey

-- name: releaseAbandonedKeys
SELECT DISTINCT
  f.org_id AS "orgId",
  f.kind || 's' AS kind,
  f.lease_token::text AS token
FROM
  freed_keys f
  LEFT JOIN imports i ON i.org_id = f.org_id
  AND i.lease_token = f.lease_token
  AND i.lease_until >= clock_timestamp()
WHERE
  f.lease_token IS NOT NULL
  AND i.id IS NULL;
-- plan:
--   Unique
--     Incremental Sort
--       Merge Join
--         Index Scan freed_keys by freed_keys_pkey (whole)
--         Materialize
--           Index Scan imports by imports_org_id_id_key (whole)
