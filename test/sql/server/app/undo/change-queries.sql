-- name: lockRows
SELECT r.id
FROM assets r
WHERE r.org_id = $1
AND r.id = ANY($2::int[])
ORDER BY r.id
FOR NO KEY UPDATE;

-- name: lockRows
SELECT r.id
FROM locations r
WHERE r.org_id = $1
AND r.id = ANY($2::int[])
ORDER BY r.id
FOR NO KEY UPDATE;

-- name: findChanges
WITH e AS MATERIALIZED (
  SELECT l.id, l.object_id, l.before -> 'row' AS before, l.after -> 'row' AS after
  FROM unnest($1::float8[], $2::text[]) AS k (ms, id)
  JOIN activity_log l ON l.org_id = $3
  AND l.occurred_at = to_timestamp(k.ms / 1000)
  AND l.id = k.id::bigint
  WHERE l.kind = $4
  AND l.action = 'updated'
)
SELECT e.id::text AS entry_id, r.id AS row_id, r.deleted_at IS NOT NULL AS is_deleted,
  (e.before ->> 'kind_id' IS NOT NULL AND NOT EXISTS (SELECT FROM asset_kinds k WHERE k.org_id = r.org_id AND k.id = (e.before ->> 'kind_id')::int)) AS is_without_kind, array_remove(ARRAY[CASE WHEN (e.before -> 'external_key' IS NOT NULL OR e.after -> 'external_key' IS NOT NULL) AND r.external_key IS DISTINCT FROM (e.after ->> 'external_key')::text AND r.external_key IS DISTINCT FROM (e.before ->> 'external_key')::text THEN 'external_key' END, CASE WHEN (e.before -> 'name' IS NOT NULL OR e.after -> 'name' IS NOT NULL) AND r.name IS DISTINCT FROM (e.after ->> 'name')::text AND r.name IS DISTINCT FROM (e.before ->> 'name')::text THEN 'name' END, CASE WHEN (e.before -> 'description' IS NOT NULL OR e.after -> 'description' IS NOT NULL) AND r.description IS DISTINCT FROM (e.after ->> 'description')::text AND r.description IS DISTINCT FROM (e.before ->> 'description')::text THEN 'description' END, CASE WHEN (e.before -> 'is_active' IS NOT NULL OR e.after -> 'is_active' IS NOT NULL) AND r.is_active IS DISTINCT FROM (e.after ->> 'is_active')::boolean AND r.is_active IS DISTINCT FROM (e.before ->> 'is_active')::boolean THEN 'is_active' END, CASE WHEN (e.before -> 'metadata' IS NOT NULL OR e.after -> 'metadata' IS NOT NULL) AND m.is_changed THEN 'metadata' END, CASE WHEN (e.before -> 'valid_from' IS NOT NULL OR e.after -> 'valid_from' IS NOT NULL) AND r.valid_from IS DISTINCT FROM (e.after ->> 'valid_from')::timestamptz(3) AND r.valid_from IS DISTINCT FROM (e.before ->> 'valid_from')::timestamptz(3) THEN 'valid_from' END, CASE WHEN (e.before -> 'valid_to' IS NOT NULL OR e.after -> 'valid_to' IS NOT NULL) AND r.valid_to IS DISTINCT FROM (e.after ->> 'valid_to')::timestamptz(3) AND r.valid_to IS DISTINCT FROM (e.before ->> 'valid_to')::timestamptz(3) THEN 'valid_to' END, CASE WHEN (e.before -> 'kind_id' IS NOT NULL OR e.after -> 'kind_id' IS NOT NULL) AND r.kind_id IS DISTINCT FROM (e.after ->> 'kind_id')::int AND r.kind_id IS DISTINCT FROM (e.before ->> 'kind_id')::int THEN 'kind_id' END, CASE WHEN (e.before -> 'belongs_to_id' IS NOT NULL OR e.after -> 'belongs_to_id' IS NOT NULL) AND r.belongs_to_id IS DISTINCT FROM (e.after ->> 'belongs_to_id')::int AND r.belongs_to_id IS DISTINCT FROM (e.before ->> 'belongs_to_id')::int THEN 'belongs_to_id' END]::text[], NULL) AS changed_since, ((e.before -> 'metadata' IS NOT NULL OR e.after -> 'metadata' IS NOT NULL) AND octet_length(changed_metadata(r.metadata, m.given, m.removed)::text) > 16384) AS is_too_long, (e.before -> 'parent_id' IS NOT NULL OR e.after -> 'parent_id' IS NOT NULL) AS moved, (e.before ->> 'parent_id')::int AS former_parent_id, e.before ->> 'external_key' AS former_key, (
  SELECT json_build_object('id', h.id, 'name', h.name)
  FROM assets h
  WHERE h.org_id = $5
  AND h.external_key = e.before ->> 'external_key'
  AND h.deleted_at IS NULL
  AND h.id <> r.id
) AS key_holder
FROM e
JOIN assets r ON r.org_id = $6
AND r.id = e.object_id::int
LEFT JOIN LATERAL (
  SELECT coalesce(('{' || string_agg(to_json(d.key) || ':' || d.old::text, ',') FILTER (WHERE d.old IS NOT NULL) || '}')::json,
    '{}') AS given, coalesce(array_agg(d.key) FILTER (WHERE d.old IS NULL), '{}') AS removed,
    coalesce(bool_or(present.value::text IS DISTINCT FROM d.new::text AND present.value::text IS DISTINCT FROM d.old::text),
    false) AS is_changed
  FROM (
    SELECT coalesce(b.key, f.key) AS key, b.value AS old, f.value AS new
    FROM json_each((e.before ->> 'metadata')::json) b
    FULL JOIN json_each((e.after ->> 'metadata')::json) f ON f.key = b.key
    WHERE b.value::text IS DISTINCT FROM f.value::text
  ) d
  LEFT JOIN json_each(r.metadata) present ON present.key = d.key
) m ON true;

-- name: findChanges
WITH e AS MATERIALIZED (
  SELECT l.id, l.object_id, l.before -> 'row' AS before, l.after -> 'row' AS after
  FROM unnest($1::float8[], $2::text[]) AS k (ms, id)
  JOIN activity_log l ON l.org_id = $3
  AND l.occurred_at = to_timestamp(k.ms / 1000)
  AND l.id = k.id::bigint
  WHERE l.kind = $4
  AND l.action = 'updated'
)
SELECT e.id::text AS entry_id, r.id AS row_id, r.deleted_at IS NOT NULL AS is_deleted,
  (e.before ->> 'kind_id' IS NOT NULL AND NOT EXISTS (SELECT FROM asset_kinds k WHERE k.org_id = r.org_id AND k.id = (e.before ->> 'kind_id')::int)) AS is_without_kind, array_remove(ARRAY[CASE WHEN (e.before -> 'external_key' IS NOT NULL OR e.after -> 'external_key' IS NOT NULL) AND r.external_key IS DISTINCT FROM (e.after ->> 'external_key')::text AND r.external_key IS DISTINCT FROM (e.before ->> 'external_key')::text THEN 'external_key' END, CASE WHEN (e.before -> 'name' IS NOT NULL OR e.after -> 'name' IS NOT NULL) AND r.name IS DISTINCT FROM (e.after ->> 'name')::text AND r.name IS DISTINCT FROM (e.before ->> 'name')::text THEN 'name' END, CASE WHEN (e.before -> 'description' IS NOT NULL OR e.after -> 'description' IS NOT NULL) AND r.description IS DISTINCT FROM (e.after ->> 'description')::text AND r.description IS DISTINCT FROM (e.before ->> 'description')::text THEN 'description' END, CASE WHEN (e.before -> 'parent_id' IS NOT NULL OR e.after -> 'parent_id' IS NOT NULL) AND r.parent_id IS DISTINCT FROM (e.after ->> 'parent_id')::int AND r.parent_id IS DISTINCT FROM (e.before ->> 'parent_id')::int THEN 'parent_id' END, CASE WHEN (e.before -> 'is_active' IS NOT NULL OR e.after -> 'is_active' IS NOT NULL) AND r.is_active IS DISTINCT FROM (e.after ->> 'is_active')::boolean AND r.is_active IS DISTINCT FROM (e.before ->> 'is_active')::boolean THEN 'is_active' END, CASE WHEN (e.before -> 'valid_from' IS NOT NULL OR e.after -> 'valid_from' IS NOT NULL) AND r.valid_from IS DISTINCT FROM (e.after ->> 'valid_from')::timestamptz(3) AND r.valid_from IS DISTINCT FROM (e.before ->> 'valid_from')::timestamptz(3) THEN 'valid_from' END, CASE WHEN (e.before -> 'valid_to' IS NOT NULL OR e.after -> 'valid_to' IS NOT NULL) AND r.valid_to IS DISTINCT FROM (e.after ->> 'valid_to')::timestamptz(3) AND r.valid_to IS DISTINCT FROM (e.before ->> 'valid_to')::timestamptz(3) THEN 'valid_to' END, CASE WHEN (e.before -> 'assets_free' IS NOT NULL OR e.after -> 'assets_free' IS NOT NULL) AND r.assets_free IS DISTINCT FROM (e.after ->> 'assets_free')::boolean AND r.assets_free IS DISTINCT FROM (e.before ->> 'assets_free')::boolean THEN 'assets_free' END]::text[], NULL) AS changed_since, false AS is_too_long, (e.before -> 'parent_id' IS NOT NULL OR e.after -> 'parent_id' IS NOT NULL) AS moved, (e.before ->> 'parent_id')::int AS former_parent_id, e.before ->> 'external_key' AS former_key, (
  SELECT json_build_object('id', h.id, 'name', h.name)
  FROM locations h
  WHERE h.org_id = $5
  AND h.external_key = e.before ->> 'external_key'
  AND h.deleted_at IS NULL
  AND h.id <> r.id
) AS key_holder
FROM e
JOIN locations r ON r.org_id = $6
AND r.id = e.object_id::int;

-- name: takeBackChanges
WITH e AS MATERIALIZED (
  SELECT l.id, l.object_id, l.before -> 'row' AS before, l.after -> 'row' AS after
  FROM unnest($1::float8[], $2::text[]) AS k (ms, id)
  JOIN activity_log l ON l.org_id = $3
  AND l.occurred_at = to_timestamp(k.ms / 1000)
  AND l.id = k.id::bigint
  WHERE l.kind = $4
  AND l.action = 'updated'
),
former AS MATERIALIZED (
  SELECT r.id, CASE WHEN (e.before -> 'external_key' IS NOT NULL
    OR e.after -> 'external_key' IS NOT NULL) THEN (e.before ->> 'external_key')::text ELSE r.external_key END AS external_key,
    CASE WHEN (e.before -> 'name' IS NOT NULL OR e.after -> 'name' IS NOT NULL) THEN (e.before ->> 'name')::text
    ELSE r.name END AS name, CASE WHEN (e.before -> 'description' IS NOT NULL
    OR e.after -> 'description' IS NOT NULL) THEN (e.before ->> 'description')::text ELSE r.description END AS description,
    CASE WHEN (e.before -> 'is_active' IS NOT NULL
    OR e.after -> 'is_active' IS NOT NULL) THEN (e.before ->> 'is_active')::boolean ELSE r.is_active END AS is_active,
    CASE WHEN (e.before -> 'metadata' IS NOT NULL
    OR e.after -> 'metadata' IS NOT NULL) THEN changed_metadata(r.metadata, m.given, m.removed)
    ELSE r.metadata END AS metadata, CASE WHEN (e.before -> 'valid_from' IS NOT NULL
    OR e.after -> 'valid_from' IS NOT NULL) THEN (e.before ->> 'valid_from')::timestamptz(3)
    ELSE r.valid_from END AS valid_from, CASE WHEN (e.before -> 'valid_to' IS NOT NULL
    OR e.after -> 'valid_to' IS NOT NULL) THEN (e.before ->> 'valid_to')::timestamptz(3)
    ELSE r.valid_to END AS valid_to, CASE WHEN (e.before -> 'kind_id' IS NOT NULL
    OR e.after -> 'kind_id' IS NOT NULL) THEN (e.before ->> 'kind_id')::int
    ELSE r.kind_id END AS kind_id, CASE WHEN (e.before -> 'belongs_to_id' IS NOT NULL
    OR e.after -> 'belongs_to_id' IS NOT NULL) THEN (e.before ->> 'belongs_to_id')::int
    ELSE r.belongs_to_id END AS belongs_to_id
  FROM e
  JOIN assets r ON r.org_id = $5
  AND r.id = e.object_id::int
  AND r.deleted_at IS NULL
  LEFT JOIN LATERAL (
    SELECT coalesce(('{' || string_agg(to_json(d.key) || ':' || d.old::text, ',') FILTER (WHERE d.old IS NOT NULL) || '}')::json,
      '{}') AS given, coalesce(array_agg(d.key) FILTER (WHERE d.old IS NULL), '{}') AS removed,
      coalesce(bool_or(present.value::text IS DISTINCT FROM d.new::text AND present.value::text IS DISTINCT FROM d.old::text),
      false) AS is_changed
    FROM (
      SELECT coalesce(b.key, f.key) AS key, b.value AS old, f.value AS new
      FROM json_each((e.before ->> 'metadata')::json) b
      FULL JOIN json_each((e.after ->> 'metadata')::json) f ON f.key = b.key
      WHERE b.value::text IS DISTINCT FROM f.value::text
    ) d
    LEFT JOIN json_each(r.metadata) present ON present.key = d.key
  ) m ON true
) UPDATE assets r
SET external_key = f.external_key, name = f.name, description = f.description, is_active = f.is_active, metadata = f.metadata,
  valid_from = f.valid_from, valid_to = f.valid_to, kind_id = f.kind_id, belongs_to_id = f.belongs_to_id,
  updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), r.updated_at + interval '1 millisecond')
FROM former f
WHERE r.org_id = $6
AND r.id = f.id
AND (SELECT set_config('whereabouts.author', $7, true)) IS NOT NULL
AND (r.external_key, r.name, r.description, r.is_active, r.metadata::text, r.valid_from, r.valid_to, r.kind_id,
  r.belongs_to_id) IS DISTINCT FROM (f.external_key, f.name, f.description, f.is_active, f.metadata::text, f.valid_from,
  f.valid_to, f.kind_id, f.belongs_to_id);

-- name: takeBackChanges
-- further: 5b6f48e1ba
