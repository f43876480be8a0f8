-- name: exportLocationsPage
SELECT *
FROM (
  SELECT measured.*, sum(measured.size) OVER (ORDER BY measured.external_key)::int AS bytes
  FROM (
    SELECT chosen.*, coalesce(octet_length(tags::text), 0) AS size
    FROM (
      SELECT l.id, l.external_key, l.name, l.description, l.parent_id,
        (SELECT p.external_key FROM locations p WHERE p.org_id = l.org_id AND p.id = l.parent_id) AS parent_external_key,
        l.is_active, round(date_part('epoch', l.valid_from) * 1000) AS valid_from, round(date_part('epoch',
        l.valid_to) * 1000) AS valid_to, round(date_part('epoch', l.created_at) * 1000) AS created_at, round(date_part('epoch',
        l.updated_at) * 1000) AS updated_at, round(date_part('epoch', l.deleted_at) * 1000) AS deleted_at, (
        SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
        FROM tags t
        WHERE t.org_id = l.org_id
        AND t.location_id = l.id
      ) AS tags
      FROM locations l
      WHERE l.org_id = $1
      AND l.deleted_at IS NULL
      AND l.external_key > $2
      ORDER BY l.external_key
      LIMIT $3
    ) chosen
  ) measured
) sized
WHERE sized.bytes - sized.size < $4
ORDER BY sized.external_key;
