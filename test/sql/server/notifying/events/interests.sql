-- name: createEventInterests
SELECT
  org_id,
  types,
  updated_at
FROM
  event_interests
WHERE
  updated_at > $1;
-- plan:
--   Index Scan event_interests by event_interests_updated_at
