-- name: findAsset
SELECT
  a.id,
  a.external_key,
  a.name,
  a.description,
  a.is_active,
  a.metadata,
  round(date_part('epoch', a.valid_from) * 1000) AS valid_from,
  round(date_part('epoch', a.valid_to) * 1000) AS valid_to,
  round(date_part('epoch', a.created_at) * 1000) AS created_at,
  round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
  round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at,
  (
    SELECT
      coalesce(
        json_agg(
          json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value)
          ORDER BY
            t.id
        ),
        '[]'
      )
    FROM
      tags t
    WHERE
      t.org_id = a.org_id
      AND t.asset_id = a.id
  ) AS tags
FROM
  assets a
WHERE
  a.org_id = $1
  AND a.id = $2
  AND a.deleted_at IS NULL;
-- plan:
--   Index Scan assets by assets_live_key_order
--     SubPlan 1: Aggregate
--       Sort
--         Index Scan tags by tags_asset

-- name: assetExists
SELECT
  1
FROM
  assets
WHERE
  org_id = $1
  AND id = $2
  AND deleted_at IS NULL;
-- plan:
--   Index Only Scan assets by assets_live_key_order

-- name: insertAsset
WITH
  made AS (
    INSERT INTO
      assets (org_id, external_key, name, description, is_active, metadata, valid_from, valid_to, kind_id, created_at, updated_at)
    SELECT
      $1,
      $2,
      $3,
      $4,
      $5,
      $6::json,
      coalesce(to_timestamp($7::float8 / 1000), clock.now),
      to_timestamp($8::float8 / 1000),
      $9::int,
      clock.now,
      clock.now
    FROM
      (
        SELECT
          date_trunc('milliseconds', clock_timestamp()) AS now
      ) clock
    WHERE
      (
        SELECT
          set_config('whereabouts.author', $10, true)
      ) IS NOT NULL
      AND NOT EXISTS (
        SELECT
        FROM
          assets k
        WHERE
          k.org_id = $11
          AND k.external_key = $12
          AND k.deleted_at IS NULL
      )
      AND NOT EXISTS (
        SELECT
        FROM
          unnest($13::text[], $14::text[]) AS given (tag_type, value)
          JOIN tags t ON t.org_id = $15
          AND t.tag_type = given.tag_type
          AND t.value = given.value
          AND t.deleted_at IS NULL
      )
    RETURNING
      *
  ),
  attached AS (
    INSERT INTO
      tags (id, org_id, asset_id, tag_type, value)
    SELECT
      numbered.id,
      made.org_id,
      made.id,
      numbered.tag_type,
      numbered.value
    FROM
      made
      CROSS JOIN LATERAL (
        SELECT
          nextval('tags_id_seq')::int AS id,
          given.tag_type,
          given.value
        FROM
          unnest($16::text[], $17::text[]) AS given (tag_type, value)
        WHERE
          made.id IS NOT NULL
      ) numbered
    ORDER BY
      numbered.tag_type,
      numbered.value
    RETURNING
      id,
      tag_type,
      value
  )
SELECT
  a.id,
  a.external_key,
  a.name,
  a.description,
  a.is_active,
  a.metadata,
  round(date_part('epoch', a.valid_from) * 1000) AS valid_from,
  round(date_part('epoch', a.valid_to) * 1000) AS valid_to,
  round(date_part('epoch', a.created_at) * 1000) AS created_at,
  round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
  round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at,
  (
    SELECT
      coalesce(
        json_agg(
          json_build_object('id', id, 'tag_type', tag_type, 'value', value)
          ORDER BY
            id
        ),
        '[]'
      )
    FROM
      attached
  ) AS tags
FROM
  made a;
-- plan:
--   CTE Scan made
--     CTE made: ModifyTable assets
--       InitPlan 1: Result
--       InitPlan 2: Index Only Scan assets by assets_live_key_order
--       InitPlan 3: Hash Join
--         Function Scan
--         Hash
--           Index Only Scan tags by tags_live_pair
--       Result
--         Result
--     CTE attached: ModifyTable tags
--       Subquery Scan
--         Sort
--           Nested Loop
--             CTE Scan made
--             Result
--               Function Scan
--     InitPlan 6: Aggregate
--       Sort
--         CTE Scan attached

-- name: insertAsset
WITH
  made AS (
    INSERT INTO
      assets (org_id, external_key, name, description, is_active, metadata, valid_from, valid_to, kind_id, created_at, updated_at)
    SELECT
      $1,
      $2,
      $3,
      $4,
      $5,
      $6::json,
      coalesce(to_timestamp($7::float8 / 1000), clock.now),
      to_timestamp($8::float8 / 1000),
      $9::int,
      clock.now,
      clock.now
    FROM
      (
        SELECT
          date_trunc('milliseconds', clock_timestamp()) AS now
      ) clock
    WHERE
      (
        SELECT
          set_config('whereabouts.author', $10, true)
      ) IS NOT NULL
      AND NOT EXISTS (
        SELECT
        FROM
          assets k
        WHERE
          k.org_id = $11
          AND k.external_key = $12
          AND k.deleted_at IS NULL
      )
      AND true
    RETURNING
      *
  ),
  attached AS (
    INSERT INTO
      tags (id, org_id, asset_id, tag_type, value)
    SELECT
      numbered.id,
      made.org_id,
      made.id,
      numbered.tag_type,
      numbered.value
    FROM
      made
      CROSS JOIN LATERAL (
        SELECT
          nextval('tags_id_seq')::int AS id,
          given.tag_type,
          given.value
        FROM
          unnest($13::text[], $14::text[]) AS given (tag_type, value)
        WHERE
          made.id IS NOT NULL
      ) numbered
    ORDER BY
      numbered.tag_type,
      numbered.value
    RETURNING
      id,
      tag_type,
      value
  )
SELECT
  a.id,
  a.external_key,
  a.name,
  a.description,
  a.is_active,
  a.metadata,
  round(date_part('epoch', a.valid_from) * 1000) AS valid_from,
  round(date_part('epoch', a.valid_to) * 1000) AS valid_to,
  round(date_part('epoch', a.created_at) * 1000) AS created_at,
  round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
  round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at,
  (
    SELECT
      coalesce(
        json_agg(
          json_build_object('id', id, 'tag_type', tag_type, 'value', value)
          ORDER BY
            id
        ),
        '[]'
      )
    FROM
      attached
  ) AS tags
FROM
  made a;
-- plan:
--   CTE Scan made
--     CTE made: ModifyTable assets
--       InitPlan 1: Result
--       InitPlan 2: Index Only Scan assets by assets_live_key_order
--       Result
--         Result
--     CTE attached: ModifyTable tags
--       Subquery Scan
--         Sort
--           Nested Loop
--             CTE Scan made
--             Result
--               Function Scan
--     InitPlan 5: Aggregate
--       Sort
--         CTE Scan attached

-- name: insertAsset
WITH
  made AS (
    INSERT INTO
      assets (org_id, external_key, name, description, is_active, metadata, valid_from, valid_to, kind_id, created_at, updated_at)
    SELECT
      $1,
      mint_key ($2::int, $3),
      $4,
      $5,
      $6,
      $7::json,
      coalesce(to_timestamp($8::float8 / 1000), clock.now),
      to_timestamp($9::float8 / 1000),
      $10::int,
      clock.now,
      clock.now
    FROM
      (
        SELECT
          date_trunc('milliseconds', clock_timestamp()) AS now
      ) clock
    WHERE
      (
        SELECT
          set_config('whereabouts.author', $11, true)
      ) IS NOT NULL
      AND false
    RETURNING
      *
  ),
  attached AS (
    INSERT INTO
      tags (id, org_id, asset_id, tag_type, value)
    SELECT
      numbered.id,
      made.org_id,
      made.id,
      numbered.tag_type,
      numbered.value
    FROM
      made
      CROSS JOIN LATERAL (
        SELECT
          nextval('tags_id_seq')::int AS id,
          given.tag_type,
          given.value
        FROM
          unnest($12::text[], $13::text[]) AS given (tag_type, value)
        WHERE
          made.id IS NOT NULL
      ) numbered
    ORDER BY
      numbered.tag_type,
      numbered.value
    RETURNING
      id,
      tag_type,
      value
  )
SELECT
  a.id,
  a.external_key,
  a.name,
  a.description,
  a.is_active,
  a.metadata,
  round(date_part('epoch', a.valid_from) * 1000) AS valid_from,
  round(date_part('epoch', a.valid_to) * 1000) AS valid_to,
  round(date_part('epoch', a.created_at) * 1000) AS created_at,
  round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
  round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at,
  (
    SELECT
      coalesce(
        json_agg(
          json_build_object('id', id, 'tag_type', tag_type, 'value', value)
          ORDER BY
            id
        ),
        '[]'
      )
    FROM
      attached
  ) AS tags
FROM
  made a;
-- plan:
--   CTE Scan made
--     CTE made: ModifyTable assets
--       Result
--     CTE attached: ModifyTable tags
--       Subquery Scan
--         Sort
--           Nested Loop
--             CTE Scan made
--             Result
--               Function Scan
--     InitPlan 3: Aggregate
--       Sort
--         CTE Scan attached

-- name: insertAsset
WITH
  made AS (
    INSERT INTO
      assets (org_id, external_key, name, description, is_active, metadata, valid_from, valid_to, kind_id, created_at, updated_at)
    SELECT
      $1,
      mint_key ($2::int, $3),
      $4,
      $5,
      $6,
      $7::json,
      coalesce(to_timestamp($8::float8 / 1000), clock.now),
      to_timestamp($9::float8 / 1000),
      $10::int,
      clock.now,
      clock.now
    FROM
      (
        SELECT
          date_trunc('milliseconds', clock_timestamp()) AS now
      ) clock
    WHERE
      (
        SELECT
          set_config('whereabouts.author', $11, true)
      ) IS NOT NULL
      AND true
      AND NOT EXISTS (
        SELECT
        FROM
          unnest($12::text[], $13::text[]) AS given (tag_type, value)
          JOIN tags t ON t.org_id = $14
          AND t.tag_type = given.tag_type
          AND t.value = given.value
          AND t.deleted_at IS NULL
      )
    RETURNING
      *
  ),
  attached AS (
    INSERT INTO
      tags (id, org_id, asset_id, tag_type, value)
    SELECT
      numbered.id,
      made.org_id,
      made.id,
      numbered.tag_type,
      numbered.value
    FROM
      made
      CROSS JOIN LATERAL (
        SELECT
          nextval('tags_id_seq')::int AS id,
          given.tag_type,
          given.value
        FROM
          unnest($15::text[], $16::text[]) AS given (tag_type, value)
        WHERE
          made.id IS NOT NULL
      ) numbered
    ORDER BY
      numbered.tag_type,
      numbered.value
    RETURNING
      id,
      tag_type,
      value
  )
SELECT
  a.id,
  a.external_key,
  a.name,
  a.description,
  a.is_active,
  a.metadata,
  round(date_part('epoch', a.valid_from) * 1000) AS valid_from,
  round(date_part('epoch', a.valid_to) * 1000) AS valid_to,
  round(date_part('epoch', a.created_at) * 1000) AS created_at,
  round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
  round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at,
  (
    SELECT
      coalesce(
        json_agg(
          json_build_object('id', id, 'tag_type', tag_type, 'value', value)
          ORDER BY
            id
        ),
        '[]'
      )
    FROM
      attached
  ) AS tags
FROM
  made a;
-- plan:
--   CTE Scan made
--     CTE made: ModifyTable assets
--       Subquery Scan
--         Result
--           InitPlan 1: Result
--           InitPlan 2: Hash Join
--             Function Scan
--             Hash
--               Index Only Scan tags by tags_live_pair
--           Result
--     CTE attached: ModifyTable tags
--       Subquery Scan
--         Sort
--           Nested Loop
--             CTE Scan made
--             Result
--               Function Scan
--     InitPlan 5: Aggregate
--       Sort
--         CTE Scan attached

-- name: insertAsset
WITH
  made AS (
    INSERT INTO
      assets (org_id, external_key, name, description, is_active, metadata, valid_from, valid_to, kind_id, created_at, updated_at)
    SELECT
      $1,
      mint_key ($2::int, $3),
      $4,
      $5,
      $6,
      $7::json,
      coalesce(to_timestamp($8::float8 / 1000), clock.now),
      to_timestamp($9::float8 / 1000),
      $10::int,
      clock.now,
      clock.now
    FROM
      (
        SELECT
          date_trunc('milliseconds', clock_timestamp()) AS now
      ) clock
    WHERE
      (
        SELECT
          set_config('whereabouts.author', $11, true)
      ) IS NOT NULL
      AND true
      AND true
    RETURNING
      *
  ),
  attached AS (
    INSERT INTO
      tags (id, org_id, asset_id, tag_type, value)
    SELECT
      numbered.id,
      made.org_id,
      made.id,
      numbered.tag_type,
      numbered.value
    FROM
      made
      CROSS JOIN LATERAL (
        SELECT
          nextval('tags_id_seq')::int AS id,
          given.tag_type,
          given.value
        FROM
          unnest($12::text[], $13::text[]) AS given (tag_type, value)
        WHERE
          made.id IS NOT NULL
      ) numbered
    ORDER BY
      numbered.tag_type,
      numbered.value
    RETURNING
      id,
      tag_type,
      value
  )
SELECT
  a.id,
  a.external_key,
  a.name,
  a.description,
  a.is_active,
  a.metadata,
  round(date_part('epoch', a.valid_from) * 1000) AS valid_from,
  round(date_part('epoch', a.valid_to) * 1000) AS valid_to,
  round(date_part('epoch', a.created_at) * 1000) AS created_at,
  round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
  round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at,
  (
    SELECT
      coalesce(
        json_agg(
          json_build_object('id', id, 'tag_type', tag_type, 'value', value)
          ORDER BY
            id
        ),
        '[]'
      )
    FROM
      attached
  ) AS tags
FROM
  made a;
-- plan:
--   CTE Scan made
--     CTE made: ModifyTable assets
--       Subquery Scan
--         Result
--           InitPlan 1: Result
--           Result
--     CTE attached: ModifyTable tags
--       Subquery Scan
--         Sort
--           Nested Loop
--             CTE Scan made
--             Result
--               Function Scan
--     InitPlan 4: Aggregate
--       Sort
--         CTE Scan attached

-- name: changeAsset, as in asset-update
UPDATE assets a
SET
  updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), a.updated_at + interval '1 millisecond'),
  name = $1
WHERE
  a.org_id = $2
  AND a.id = $3
  AND a.deleted_at IS NULL
  AND (
    SELECT
      set_config('whereabouts.author', $4, true)
  ) IS NOT NULL;
-- plan:
--   ModifyTable assets
--     InitPlan 1: Result
--     Result
--       Index Scan assets by assets_live_key_order

-- name: retireAsset
SELECT
  1
FROM
  assets
WHERE
  org_id = $1
  AND id = $2
  AND deleted_at IS NULL
FOR UPDATE;
-- plan:
--   LockRows
--     Index Scan assets by assets_live_key_order

-- name: retireAsset
WITH
  gone AS (
    UPDATE assets
    SET
      deleted_at = date_trunc('milliseconds', clock_timestamp())
    WHERE
      org_id = $1
      AND id = $2
      AND deleted_at IS NULL
      AND (
        SELECT
          set_config('whereabouts.author', $3, true)
      ) IS NOT NULL
    RETURNING
      id,
      deleted_at
  ),
  retired AS (
    UPDATE tags t
    SET
      deleted_at = gone.deleted_at
    FROM
      gone
    WHERE
      t.org_id = $4
      AND t.asset_id = gone.id
  )
SELECT
  id
FROM
  gone;
-- plan:
--   CTE Scan gone
--     CTE gone: ModifyTable assets
--       InitPlan 1: Result
--       Result
--         Index Scan assets by assets_live_key_order
--     CTE retired: ModifyTable tags
--       Nested Loop
--         CTE Scan gone
--         Index Scan tags by tags_asset
