-- Trigger on `locations`, after each statement. Does the same for locations as `record_asset_events` for assets.
CREATE OR REPLACE FUNCTION record_location_events() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
DECLARE
  recorded bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO outbox_events (org_id, type, occurred_at, location_id, data)
    SELECT n.org_id, 'location.created', n.created_at, n.id,
           json_build_object('before', NULL, 'after', location_event_view(n, t.tags))
      FROM new_rows n
      JOIN event_interests i ON i.org_id = n.org_id AND 'location.created' = ANY (i.types)
     CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id), '[]') AS tags
         FROM tags g WHERE g.org_id = n.org_id AND g.location_id = n.id
     ) t;
  ELSE
    INSERT INTO outbox_events (org_id, type, occurred_at, location_id, data)
    SELECT n.org_id, c.type, c.at, n.id,
           json_build_object('before', CASE WHEN o.deleted_at IS NULL THEN location_event_view(o, t.tags) END,
                             'after', CASE WHEN n.deleted_at IS NULL THEN location_event_view(n, t.tags) END)
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
     CROSS JOIN LATERAL (
       SELECT CASE WHEN o.deleted_at IS NOT NULL THEN 'location.created' WHEN n.deleted_at IS NULL THEN 'location.updated'
                   ELSE 'location.deleted' END AS type,
              coalesce(n.deleted_at, n.updated_at) AS at
     ) c
      JOIN event_interests i ON i.org_id = n.org_id AND c.type = ANY (i.types)
     CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id), '[]') AS tags
         FROM tags g WHERE g.org_id = n.org_id AND g.location_id = n.id
     ) t
     WHERE (o.deleted_at IS NOT NULL AND n.deleted_at IS NULL)
        OR o.deleted_at IS NULL
       AND (n.deleted_at IS NOT NULL
            OR (o.external_key, o.name, o.description, o.parent_id, o.is_active, o.valid_from, o.valid_to)
               IS DISTINCT FROM
               (n.external_key, n.name, n.description, n.parent_id, n.is_active, n.valid_from, n.valid_to));
  END IF;
  GET DIAGNOSTICS recorded = ROW_COUNT;
  IF recorded > 0 THEN
    PERFORM graphile_worker.add_job('route_events');
  END IF;
  RETURN NULL;
END
$$;
