-- name: lockTagParent
SELECT id
FROM assets
WHERE org_id = $1
AND id = $2
AND deleted_at IS NULL
FOR NO KEY UPDATE;

-- name: lockTagParent
SELECT id
FROM locations
WHERE org_id = $1
AND id = $2
AND deleted_at IS NULL
FOR NO KEY UPDATE;

-- name: attachTag
INSERT INTO tags (org_id, asset_id, tag_type, value)
SELECT $1, $2, $3, $4
WHERE (SELECT count(*) FROM tags t WHERE t.org_id = $5 AND t.asset_id = $6) < $7
AND (SELECT set_config('whereabouts.author', $8, true)) IS NOT NULL
RETURNING id, tag_type, value;

-- name: attachTag
INSERT INTO tags (org_id, location_id, tag_type, value)
SELECT $1, $2, $3, $4
WHERE (SELECT count(*) FROM tags t WHERE t.org_id = $5 AND t.location_id = $6) < $7
AND (SELECT set_config('whereabouts.author', $8, true)) IS NOT NULL
RETURNING id, tag_type, value;

-- name: detachTag
DELETE FROM tags t
WHERE t.org_id = $1
AND t.id = $2
AND t.asset_id = $3
AND (SELECT set_config('whereabouts.author', $4, true)) IS NOT NULL;

-- name: detachTag
DELETE FROM tags t
WHERE t.org_id = $1
AND t.id = $2
AND t.location_id = $3
AND (SELECT set_config('whereabouts.author', $4, true)) IS NOT NULL;

-- name: holderOfKey
SELECT id
FROM assets
WHERE org_id = $1
AND external_key = $2
AND deleted_at IS NULL;

-- name: holderOfKey
SELECT id
FROM locations
WHERE org_id = $1
AND external_key = $2
AND deleted_at IS NULL;

-- name: firstTaken
SELECT t.tag_type, t.value, t.asset_id, t.location_id
FROM unnest($1::text[], $2::text[]) AS given (tag_type, value)
JOIN tags t ON t.org_id = $3
AND t.tag_type = given.tag_type
AND t.value = given.value
AND t.deleted_at IS NULL;
