-- name: ensureImageQuota
SELECT count(*)::float8 AS images, coalesce(sum(stored_bytes), 0)::float8 AS bytes
FROM images
WHERE org_id = $1::int;

-- name: insertImage
SELECT pg_advisory_xact_lock($1::int, $2::int)::text;

-- name: insertImage
INSERT INTO images (org_id, kind, width, height, content, thumbnail, etag, stored_bytes)
VALUES ($1::int, $2, $3::int, $4::int, $5, $6, $7, $8::int)
RETURNING id;

-- name: readImage
SELECT tag.etag, CASE WHEN tag.etag = ANY ($1::text[]) THEN NULL WHEN $2 = 'thumbnail' THEN i.thumbnail
  ELSE i.content END AS content
FROM images i
CROSS JOIN LATERAL (SELECT CASE WHEN $3 = 'thumbnail' THEN i.etag || '-thumbnail' ELSE i.etag END AS etag) tag
WHERE i.org_id = $4::int
AND i.id = $5::int;

-- name: attachImage
UPDATE images i
SET is_attached = true, detached_at = NULL
WHERE i.org_id = $1::int
AND i.id = $2::int
AND i.kind = $3
AND NOT i.is_attached
RETURNING i.width, i.height;

-- name: removeImage
DELETE FROM images
WHERE org_id = $1::int
AND id = $2::int;

-- name: detachImage
UPDATE images
SET is_attached = false, detached_at = clock_timestamp()
WHERE org_id = $1::int
AND id = $2::int;

-- name: removeUnusedImages
DELETE FROM images
WHERE NOT is_attached
AND coalesce(detached_at, created_at) < clock_timestamp() - interval '1 hour';
