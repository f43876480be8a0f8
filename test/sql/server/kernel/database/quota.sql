-- name: ensureBelowQuota
SELECT
  pg_advisory_xact_lock($1::int, $2::int)::text;
-- plan:
--   Result

-- name: ensureBelowQuota
SELECT
  count(*) FILTER (
    WHERE
      (
        accepted_at IS NULL
        AND revoked_at IS NULL
        AND expires_at > clock_timestamp()
      )
  )::int AS live,
  count(*) FILTER (
    WHERE
      NOT (
        accepted_at IS NULL
        AND revoked_at IS NULL
        AND expires_at > clock_timestamp()
      )
  )::int AS past
FROM
  invitations
WHERE
  org_id = $1::int;
-- plan:
--   Aggregate
--     Bitmap Heap Scan invitations
--       Bitmap Index Scan by invitations_org_id_created_at_idx

-- name: ensureBelowQuota
SELECT
  count(*) FILTER (
    WHERE
      (
        revoked_at IS NULL
        AND (
          expires_at IS NULL
          OR expires_at > clock_timestamp()
        )
      )
  )::int AS live,
  count(*) FILTER (
    WHERE
      NOT (
        revoked_at IS NULL
        AND (
          expires_at IS NULL
          OR expires_at > clock_timestamp()
        )
      )
  )::int AS past
FROM
  api_keys
WHERE
  org_id = $1::int;
-- plan:
--   Aggregate
--     Bitmap Heap Scan api_keys
--       Bitmap Index Scan by api_keys_org_id_created_at_idx

-- name: ensureBelowQuota
SELECT
  count(*) FILTER (
    WHERE
      deleted_at IS NULL
  )::int AS live,
  count(*) FILTER (
    WHERE
      NOT deleted_at IS NULL
  )::int AS past
FROM
  readers
WHERE
  org_id = $1::int;
-- plan:
--   Aggregate
--     Index Scan readers by readers_org_id_id_key
