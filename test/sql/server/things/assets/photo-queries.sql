-- name: findPhotos
SELECT p.image_id, i.width, i.height, api_timestamp(p.added_at) AS added_at
FROM asset_photos p
JOIN images i ON i.org_id = p.org_id
AND i.id = p.image_id
WHERE p.org_id = $1
AND p.asset_id = $2
ORDER BY p.added_at, p.image_id;

-- name: insertPhoto
INSERT INTO asset_photos (org_id, asset_id, image_id, added_at)
SELECT $1::int, $2::int, i.id, i.created_at
FROM images i
WHERE i.org_id = $3::int
AND i.id = $4::int;

-- name: deletePhoto
DELETE FROM asset_photos
WHERE org_id = $1
AND asset_id = $2
AND image_id = $3;

-- name: removePhotosOfDeletedAssets
DELETE FROM images i USING (
  SELECT p.org_id, p.image_id
  FROM asset_photos p
  JOIN assets a ON a.org_id = p.org_id
  AND a.id = p.asset_id
  WHERE a.deleted_at <= clock_timestamp() - interval '30 days'
  LIMIT $1::int
) gone
WHERE i.org_id = gone.org_id
AND i.id = gone.image_id;
