-- Trigger on `assets`, after each statement. Writes an event for each asset that was created, changed or deleted, in
-- organizations that asked for that type of event, and adds a job that delivers them. A change of `updated_at` alone is
-- no event. A restored asset is an event like a created asset, since receivers have been notified of its deletion.
CREATE OR REPLACE FUNCTION record_asset_events() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
DECLARE
  recorded bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, data)
    SELECT n.org_id, 'asset.created', n.created_at, n.id,
           json_build_object('before', NULL, 'after', asset_event_view(n, t.tags))
      FROM new_rows n
      JOIN event_interests i ON i.org_id = n.org_id AND 'asset.created' = ANY (i.types)
     CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id), '[]') AS tags
         FROM tags g WHERE g.org_id = n.org_id AND g.asset_id = n.id
     ) t;
  ELSE
    INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, data)
    SELECT n.org_id, c.type, c.at, n.id,
           json_build_object('before', CASE WHEN o.deleted_at IS NULL THEN asset_event_view(o, t.tags) END,
                             'after', CASE WHEN n.deleted_at IS NULL THEN asset_event_view(n, t.tags) END)
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
     CROSS JOIN LATERAL (
       SELECT CASE WHEN o.deleted_at IS NOT NULL THEN 'asset.created' WHEN n.deleted_at IS NULL THEN 'asset.updated'
                   ELSE 'asset.deleted' END AS type,
              coalesce(n.deleted_at, n.updated_at) AS at
     ) c
      JOIN event_interests i ON i.org_id = n.org_id AND c.type = ANY (i.types)
     CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id), '[]') AS tags
         FROM tags g WHERE g.org_id = n.org_id AND g.asset_id = n.id
     ) t
     WHERE (o.deleted_at IS NOT NULL AND n.deleted_at IS NULL)
        OR o.deleted_at IS NULL
       AND (n.deleted_at IS NOT NULL
            OR (o.external_key, o.name, o.description, o.is_active, o.metadata::text, o.valid_from, o.valid_to)
               IS DISTINCT FROM
               (n.external_key, n.name, n.description, n.is_active, n.metadata::text, n.valid_from, n.valid_to));
  END IF;
  GET DIAGNOSTICS recorded = ROW_COUNT;
  IF recorded > 0 THEN
    PERFORM graphile_worker.add_job('route_events');
  END IF;
  RETURN NULL;
END
$$;
