-- Trigger on `locations`, after each statement that inserts or updates. Works as `log_asset_changes`. `parent` is the
-- name of the parent with its key, when the entry is written. A change of the parent has `parent_id` too, so that it
-- can be undone.
CREATE OR REPLACE FUNCTION log_location_changes() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off
  SET enable_seqscan = off AS $$
DECLARE
  author text[] := string_to_array(nullif(current_setting('whereabouts.author', true), ''), ' ');
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, import_id, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), 'location', n.id::text, n.name, 'created',
           coalesce(author[1], 'system'), author[2], author[3]::uuid,
           json_strip_nulls(json_build_object(
             'external_key', n.external_key, 'name', n.name, 'description', left(n.description, 500),
             'parent', location_of_activity(n.org_id, n.parent_id),
             'is_active', n.is_active,
             'assets_free', n.assets_free,
             'valid_from', round(date_part('epoch', n.valid_from) * 1000)::bigint,
             'valid_to', round(date_part('epoch', n.valid_to) * 1000)::bigint,
             'tags', (SELECT to_json((array_agg(tag_type || ':' || value ORDER BY id + 0))[1:20])
                        FROM tags
                       WHERE org_id = n.org_id AND location_id = n.id)))
      FROM new_rows n
     WHERE n.deleted_at IS NULL;
  ELSE
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, import_id, before, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), 'location', n.id::text, n.name,
           CASE WHEN o.deleted_at IS NOT NULL THEN 'restored' WHEN n.deleted_at IS NULL THEN 'updated' ELSE 'deleted' END,
           coalesce(author[1], 'system'), author[2], author[3]::uuid,
           CASE WHEN n.deleted_at IS NULL THEN
             json_strip_nulls(json_build_object(
               'external_key', CASE WHEN o.external_key <> n.external_key THEN o.external_key END,
               'name', CASE WHEN o.name <> n.name THEN o.name END,
               'description', CASE WHEN o.description IS DISTINCT FROM n.description THEN o.description END,
               'parent', CASE WHEN o.parent_id IS DISTINCT FROM n.parent_id THEN location_of_activity(o.org_id, o.parent_id) END,
               'parent_id', CASE WHEN o.parent_id IS DISTINCT FROM n.parent_id THEN o.parent_id END,
               'is_active', CASE WHEN o.is_active <> n.is_active THEN o.is_active END,
               'assets_free', CASE WHEN o.assets_free IS DISTINCT FROM n.assets_free THEN o.assets_free END,
               'valid_from', CASE WHEN o.valid_from <> n.valid_from THEN round(date_part('epoch', o.valid_from) * 1000)::bigint END,
               'valid_to', CASE WHEN o.valid_to IS DISTINCT FROM n.valid_to THEN round(date_part('epoch', o.valid_to) * 1000)::bigint END))
           ELSE
             json_strip_nulls(json_build_object(
               'external_key', o.external_key, 'name', o.name, 'description', left(o.description, 500),
               'parent', location_of_activity(o.org_id, o.parent_id),
               'is_active', o.is_active,
               'assets_free', o.assets_free,
               'valid_from', round(date_part('epoch', o.valid_from) * 1000)::bigint,
               'valid_to', round(date_part('epoch', o.valid_to) * 1000)::bigint,
               'tags', (SELECT to_json((array_agg(tag_type || ':' || value ORDER BY id + 0))[1:20])
                        FROM tags
                       WHERE org_id = o.org_id AND location_id = o.id)))
           END,
           CASE WHEN n.deleted_at IS NULL THEN
             json_strip_nulls(json_build_object(
               'external_key', CASE WHEN o.external_key <> n.external_key THEN n.external_key END,
               'name', CASE WHEN o.name <> n.name THEN n.name END,
               'description', CASE WHEN o.description IS DISTINCT FROM n.description THEN n.description END,
               'parent', CASE WHEN o.parent_id IS DISTINCT FROM n.parent_id THEN location_of_activity(n.org_id, n.parent_id) END,
               'parent_id', CASE WHEN o.parent_id IS DISTINCT FROM n.parent_id THEN n.parent_id END,
               'is_active', CASE WHEN o.is_active <> n.is_active THEN n.is_active END,
               'assets_free', CASE WHEN o.assets_free IS DISTINCT FROM n.assets_free THEN n.assets_free END,
               'valid_from', CASE WHEN o.valid_from <> n.valid_from THEN round(date_part('epoch', n.valid_from) * 1000)::bigint END,
               'valid_to', CASE WHEN o.valid_to IS DISTINCT FROM n.valid_to THEN round(date_part('epoch', n.valid_to) * 1000)::bigint END))
           END
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
     WHERE (o.deleted_at IS NOT NULL AND n.deleted_at IS NULL)
        OR o.deleted_at IS NULL
       AND (n.deleted_at IS NOT NULL
            OR (o.external_key, o.name, o.is_active, o.valid_from) <> (n.external_key, n.name, n.is_active, n.valid_from)
            OR (o.description, o.parent_id, o.assets_free, o.valid_to) IS DISTINCT FROM (n.description, n.parent_id, n.assets_free, n.valid_to));
  END IF;
  RETURN NULL;
END
$$;
