-- name: firstSteps
SELECT EXISTS (
  SELECT
  FROM locations
  WHERE org_id = o.id
  AND deleted_at IS NULL
  AND id <> ALL (o.sample_location_ids)
) AS has_location,
  EXISTS (SELECT FROM assets WHERE org_id = o.id AND deleted_at IS NULL AND id <> ALL (o.sample_asset_ids)) AS has_asset,
  EXISTS (SELECT FROM readers WHERE org_id = o.id AND deleted_at IS NULL) AS has_reader,
  EXISTS (SELECT FROM readers WHERE org_id = o.id AND deleted_at IS NULL AND last_message_at IS NOT NULL) AS has_live_reader,
  (SELECT count(*) FROM memberships WHERE org_id = o.id) > 1 OR EXISTS (
  SELECT
  FROM invitations i
  WHERE i.org_id = o.id
  AND i.accepted_at IS NULL
  AND i.revoked_at IS NULL
  AND i.expires_at > clock_timestamp()
) AS has_colleague, o.sample_location_ids <> '{}' AS has_sample, o.first_steps_ended_at IS NOT NULL AS has_ended
FROM organizations o
WHERE o.id = $1::int;

-- name: endFirstSteps
UPDATE organizations
SET first_steps_ended_at = date_trunc('milliseconds', clock_timestamp())
WHERE id = $1::int
AND first_steps_ended_at IS NULL;
