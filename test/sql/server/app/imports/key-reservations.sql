-- name: reserveKeys
SELECT count(*) FILTER (WHERE external_key IS NULL)::int AS wanting, coalesce(array_agg(DISTINCT key_slot($1,
  external_key)) FILTER (WHERE key_slot($2, external_key) IS NOT NULL), '{}')::text AS given
FROM staged
WHERE id IS NULL;

-- name: reserveKeys
INSERT INTO freed_keys (org_id, kind, slot, lease_token)
SELECT $1, $2, slot, $3::uuid
FROM unnest($4::bigint[]) AS slots (slot) ON CONFLICT (org_id, kind, slot) DO UPDATE
SET lease_token = EXCLUDED.lease_token;

-- name: reserveKeys
-- further: 06f05af371 6e57df47ce 8ae58af17c

-- name: releaseKeys
SET LOCAL plan_cache_mode = force_custom_plan;

-- name: releaseKeys
SELECT coalesce(array_agg(slot_key($1, slot)), '{}') AS keys
FROM freed_keys
WHERE org_id = $2
AND kind = $3
AND lease_token = $4::uuid;

-- name: releaseKeys
-- further: 8bdf693624 cc3b7cfeee e30ec4a994 f7b6392dd1

-- name: releaseAbandonedKeys
SELECT DISTINCT f.org_id AS "orgId", f.kind || 's' AS kind, f.lease_token::text AS token
FROM freed_keys f
LEFT JOIN imports i ON i.org_id = f.org_id
AND i.lease_token = f.lease_token
AND i.lease_until >= clock_timestamp()
WHERE f.lease_token IS NOT NULL
AND i.id IS NULL;
