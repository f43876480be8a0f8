-- Locks: ACCESS EXCLUSIVE on assets, bulk_edit_rows and asset_positions, for milliseconds; SHARE ROW EXCLUSIVE on assets and
-- locations while the new foreign key reads assets, where every value is null: about a second per ten million assets. Writes
-- of assets and locations wait.

ALTER TABLE assets ADD COLUMN belongs_to_id INT;
ALTER TABLE bulk_edit_rows ADD COLUMN belongs_to_id INT;
ALTER TABLE asset_positions ADD COLUMN belongs_to_id INT;
ALTER TABLE assets
  ADD CONSTRAINT assets_org_id_belongs_to_id_fkey FOREIGN KEY (org_id, belongs_to_id) REFERENCES locations (org_id, id);

-- Trigger on `assets`, before each row whose `belongs_to_id` changes. Locks the row against foreign keys too, so that the
-- first position of the asset is stored either before the change, which then updates it, or after it.
CREATE OR REPLACE FUNCTION hold_first_position() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM assets WHERE org_id = NEW.org_id AND id = NEW.id FOR UPDATE;
  RETURN NEW;
END
$$;

-- Trigger on `asset_positions` and `assets`, after each statement. Keeps `hidden_by` of the positions of deleted and expired
-- assets and counts positions by it in `row_counts`, in shards as `keep_row_counts` does. Keeps `belongs_to_id` of positions,
-- by which an index finds the assets that are away from the location that they belong to.
--
-- Positions are locked in the order of the asset ids, as ingestion locks them, and before the counts, which prevents deadlocks.
CREATE OR REPLACE FUNCTION keep_position_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'assets' THEN
    WITH held AS MATERIALIZED (
      SELECT p.org_id, p.asset_id, p.hidden_by AS was, (n.deleted_at IS NOT NULL)::int + 2 * n.is_expired::int AS becomes,
             n.belongs_to_id
        FROM new_rows n
        JOIN asset_positions p ON p.org_id = n.org_id AND p.asset_id = n.id
       WHERE p.hidden_by <> (n.deleted_at IS NOT NULL)::int + 2 * n.is_expired::int
          OR p.belongs_to_id IS DISTINCT FROM n.belongs_to_id
       ORDER BY p.asset_id
         FOR NO KEY UPDATE OF p
    ), hidden AS (
      UPDATE asset_positions p
         SET hidden_by = h.becomes, belongs_to_id = h.belongs_to_id
        FROM held h
       WHERE p.org_id = h.org_id AND p.asset_id = h.asset_id
    )
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT h.org_id, 'position', true, s.state & 1 = 1, s.state & 2 = 2, pg_backend_pid() % 16, sum(s.change)
      FROM held h
     CROSS JOIN LATERAL (VALUES (h.becomes, 1), (h.was::int, -1)) AS s (state, change)
     WHERE h.becomes <> h.was
     GROUP BY h.org_id, s.state
     ORDER BY 1, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  ELSE
    UPDATE asset_positions p
       SET hidden_by = (a.deleted_at IS NOT NULL)::int + 2 * a.is_expired::int, belongs_to_id = a.belongs_to_id
      FROM new_rows n
      JOIN assets a ON a.org_id = n.org_id AND a.id = n.asset_id
     WHERE p.org_id = n.org_id AND p.asset_id = n.asset_id
       AND (p.hidden_by <> (a.deleted_at IS NOT NULL)::int + 2 * a.is_expired::int
            OR p.belongs_to_id IS DISTINCT FROM a.belongs_to_id);
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT p.org_id, 'position', true, a.deleted_at IS NOT NULL, a.is_expired, pg_backend_pid() % 16, count(*)
      FROM new_rows p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
     GROUP BY p.org_id, a.deleted_at IS NOT NULL, a.is_expired
     ORDER BY 1, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `assets`, after each statement that inserts or updates. Writes one entry of `activity_log` for each asset
-- that was created, changed, deleted or restored; an update that changes no field writes no entry. `before` and `after`
-- hold the fields that differ, without nulls; instants are epoch milliseconds, and custom details are cut at 2,000
-- characters. `kind` and `belongs_to` are names when the entry is written. Their changes have `kind_id` and `belongs_to_id`
-- too, so that they can be undone. The setting `whereabouts.author` names the author: the entry point, the actor and an import,
-- separated by spaces. Metadata stays text, since `jsonb` would write out its largest numbers digit by digit, or reject
-- them. The connection keeps a plan, which may have been made for a statement with one row. Without nested loops the
-- plan does not compare 100,000 rows with each other. Without sequential scans and the order of an index it does not
-- read all tags for each row. At most 20 tags are kept.
CREATE OR REPLACE FUNCTION log_asset_changes() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off
  SET enable_seqscan = off AS $$
DECLARE
  author text[] := string_to_array(nullif(current_setting('whereabouts.author', true), ''), ' ');
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, import_id, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), 'asset', n.id::text, n.name, 'created',
           coalesce(author[1], 'system'), author[2], author[3]::uuid,
           json_strip_nulls(json_build_object(
             'external_key', n.external_key, 'name', n.name, 'description', left(n.description, 500),
             'kind', (SELECT k.name FROM asset_kinds k WHERE k.org_id = n.org_id AND k.id = n.kind_id),
             'belongs_to', location_of_activity(n.org_id, n.belongs_to_id),
             'is_active', n.is_active, 'metadata', nullif(left(n.metadata::text, 2000), '{}'),
             'valid_from', round(date_part('epoch', n.valid_from) * 1000)::bigint,
             'valid_to', round(date_part('epoch', n.valid_to) * 1000)::bigint,
             'tags', (SELECT to_json((array_agg(tag_type || ':' || value ORDER BY id + 0))[1:20])
                        FROM tags
                       WHERE org_id = n.org_id AND asset_id = n.id)))
      FROM new_rows n
     WHERE n.deleted_at IS NULL;
  ELSE
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, import_id, before, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), 'asset', n.id::text, n.name,
           CASE WHEN o.deleted_at IS NOT NULL THEN 'restored' WHEN n.deleted_at IS NULL THEN 'updated' ELSE 'deleted' END,
           coalesce(author[1], 'system'), author[2], author[3]::uuid,
           CASE WHEN n.deleted_at IS NULL THEN
             json_strip_nulls(json_build_object(
               'external_key', CASE WHEN o.external_key <> n.external_key THEN o.external_key END,
               'name', CASE WHEN o.name <> n.name THEN o.name END,
               'description', CASE WHEN o.description IS DISTINCT FROM n.description THEN o.description END,
               'kind', CASE WHEN o.kind_id IS DISTINCT FROM n.kind_id THEN (SELECT k.name FROM asset_kinds k WHERE k.org_id = o.org_id AND k.id = o.kind_id) END,
               'kind_id', CASE WHEN o.kind_id IS DISTINCT FROM n.kind_id THEN o.kind_id END,
               'belongs_to', CASE WHEN o.belongs_to_id IS DISTINCT FROM n.belongs_to_id THEN location_of_activity(o.org_id, o.belongs_to_id) END,
               'belongs_to_id', CASE WHEN o.belongs_to_id IS DISTINCT FROM n.belongs_to_id THEN o.belongs_to_id END,
               'is_active', CASE WHEN o.is_active <> n.is_active THEN o.is_active END,
               'metadata', CASE WHEN o.metadata::text <> n.metadata::text THEN left(o.metadata::text, 2000) END,
               'valid_from', CASE WHEN o.valid_from <> n.valid_from THEN round(date_part('epoch', o.valid_from) * 1000)::bigint END,
               'valid_to', CASE WHEN o.valid_to IS DISTINCT FROM n.valid_to THEN round(date_part('epoch', o.valid_to) * 1000)::bigint END))
           ELSE
             json_strip_nulls(json_build_object(
               'external_key', o.external_key, 'name', o.name, 'description', left(o.description, 500),
               'kind', (SELECT k.name FROM asset_kinds k WHERE k.org_id = o.org_id AND k.id = o.kind_id),
               'belongs_to', location_of_activity(o.org_id, o.belongs_to_id),
               'is_active', o.is_active, 'metadata', nullif(left(o.metadata::text, 2000), '{}'),
               'valid_from', round(date_part('epoch', o.valid_from) * 1000)::bigint,
               'valid_to', round(date_part('epoch', o.valid_to) * 1000)::bigint,
               'tags', (SELECT to_json((array_agg(tag_type || ':' || value ORDER BY id + 0))[1:20])
                        FROM tags
                       WHERE org_id = o.org_id AND asset_id = o.id)))
           END,
           CASE WHEN n.deleted_at IS NULL THEN
             json_strip_nulls(json_build_object(
               'external_key', CASE WHEN o.external_key <> n.external_key THEN n.external_key END,
               'name', CASE WHEN o.name <> n.name THEN n.name END,
               'description', CASE WHEN o.description IS DISTINCT FROM n.description THEN n.description END,
               'kind', CASE WHEN o.kind_id IS DISTINCT FROM n.kind_id THEN (SELECT k.name FROM asset_kinds k WHERE k.org_id = n.org_id AND k.id = n.kind_id) END,
               'kind_id', CASE WHEN o.kind_id IS DISTINCT FROM n.kind_id THEN n.kind_id END,
               'belongs_to', CASE WHEN o.belongs_to_id IS DISTINCT FROM n.belongs_to_id THEN location_of_activity(n.org_id, n.belongs_to_id) END,
               'belongs_to_id', CASE WHEN o.belongs_to_id IS DISTINCT FROM n.belongs_to_id THEN n.belongs_to_id END,
               'is_active', CASE WHEN o.is_active <> n.is_active THEN n.is_active END,
               'metadata', CASE WHEN o.metadata::text <> n.metadata::text THEN left(n.metadata::text, 2000) END,
               'valid_from', CASE WHEN o.valid_from <> n.valid_from THEN round(date_part('epoch', n.valid_from) * 1000)::bigint END,
               'valid_to', CASE WHEN o.valid_to IS DISTINCT FROM n.valid_to THEN round(date_part('epoch', n.valid_to) * 1000)::bigint END))
           END
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
     WHERE (o.deleted_at IS NOT NULL AND n.deleted_at IS NULL)
        OR o.deleted_at IS NULL
       AND (n.deleted_at IS NOT NULL
            OR (o.external_key, o.name, o.is_active, o.metadata::text, o.valid_from)
               <> (n.external_key, n.name, n.is_active, n.metadata::text, n.valid_from)
            OR (o.description, o.kind_id, o.belongs_to_id, o.valid_to)
               IS DISTINCT FROM (n.description, n.kind_id, n.belongs_to_id, n.valid_to));
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER hold_first_position BEFORE UPDATE OF belongs_to_id ON assets FOR EACH ROW
  WHEN (OLD.belongs_to_id IS DISTINCT FROM NEW.belongs_to_id) EXECUTE FUNCTION hold_first_position();
