-- name: assetsAfter, as in app-assets-export
SELECT
  page.*,
  (
    SELECT
      k.name
    FROM
      asset_kinds k
    WHERE
      k.org_id = $1
      AND k.id = page.kind_id
  ) AS kind,
  p.location_id,
  round(date_part('epoch', p.asset_last_seen) * 1000) AS asset_last_seen
FROM
  (
    SELECT
      *
    FROM
      (
        SELECT
          measured.*,
          sum(measured.size) OVER (
            ORDER BY
              measured.external_key
          )::int AS bytes
        FROM
          (
            SELECT
              chosen.*,
              coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(tags::text), 0) AS size
            FROM
              (
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
                  ) AS tags,
                  a.kind_id
                FROM
                  assets a
                WHERE
                  a.org_id = $2
                  AND a.deleted_at IS NULL
                  AND a.external_key > $3
                ORDER BY
                  a.external_key
                LIMIT
                  $4
              ) chosen
          ) measured
      ) sized
    WHERE
      sized.bytes - sized.size < $5
  ) page
  LEFT JOIN asset_positions p ON p.org_id = $6
  AND p.asset_id = page.id
ORDER BY
  page.external_key;
-- plan:
--   Nested Loop
--     Subquery Scan
--       WindowAgg
--         Subquery Scan
--           Limit
--             Index Scan assets by assets_live_external_key
--               SubPlan 2: Aggregate
--                 Sort
--                   Index Scan tags by tags_asset
--     Bitmap Heap Scan asset_positions
--       Bitmap Index Scan by asset_positions_listed
--     SubPlan 1: Index Scan asset_kinds by asset_kinds_org_id_id_key
