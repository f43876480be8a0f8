-- Trigger on `tags`, after each statement that attaches or detaches tags. Writes `asset.updated` or `location.updated`
-- for each live parent, with its tags before and after. A parent created by the same transaction has `created` instead.
CREATE OR REPLACE FUNCTION record_tag_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  recorded bigint;
  recorded_too bigint;
BEGIN
  INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, data)
  SELECT a.org_id, 'asset.updated', clock_timestamp(), a.id,
         json_build_object(
           'before', asset_event_view(a, CASE WHEN TG_OP = 'INSERT' THEN t.rest ELSE t.all_tags END),
           'after', asset_event_view(a, CASE WHEN TG_OP = 'INSERT' THEN t.all_tags ELSE t.rest END))
    FROM (SELECT DISTINCT c.org_id, c.asset_id FROM changed_rows c WHERE c.asset_id IS NOT NULL) p
    JOIN event_interests i ON i.org_id = p.org_id AND 'asset.updated' = ANY (i.types)
    JOIN assets a ON a.org_id + 0 = p.org_id AND a.id = p.asset_id AND a.deleted_at IS NULL
   CROSS JOIN LATERAL (
     SELECT coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id), '[]') AS all_tags,
            coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id)
                     FILTER (WHERE NOT g.is_changed), '[]') AS rest
       FROM (SELECT r.id, r.tag_type, r.value, r.id IN (SELECT c.id FROM changed_rows c) AS is_changed
               FROM tags r WHERE r.org_id = p.org_id AND r.asset_id = p.asset_id
             UNION ALL
             SELECT c.id, c.tag_type, c.value, true
               FROM changed_rows c WHERE TG_OP = 'DELETE' AND c.org_id = p.org_id AND c.asset_id = p.asset_id) g
   ) t
   WHERE a.xmin <> pg_current_xact_id()::xid;
  GET DIAGNOSTICS recorded = ROW_COUNT;
  INSERT INTO outbox_events (org_id, type, occurred_at, location_id, data)
  SELECT l.org_id, 'location.updated', clock_timestamp(), l.id,
         json_build_object(
           'before', location_event_view(l, CASE WHEN TG_OP = 'INSERT' THEN t.rest ELSE t.all_tags END),
           'after', location_event_view(l, CASE WHEN TG_OP = 'INSERT' THEN t.all_tags ELSE t.rest END))
    FROM (SELECT DISTINCT c.org_id, c.location_id FROM changed_rows c WHERE c.location_id IS NOT NULL) p
    JOIN event_interests i ON i.org_id = p.org_id AND 'location.updated' = ANY (i.types)
    JOIN locations l ON l.org_id + 0 = p.org_id AND l.id = p.location_id AND l.deleted_at IS NULL
   CROSS JOIN LATERAL (
     SELECT coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id), '[]') AS all_tags,
            coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id)
                     FILTER (WHERE NOT g.is_changed), '[]') AS rest
       FROM (SELECT r.id, r.tag_type, r.value, r.id IN (SELECT c.id FROM changed_rows c) AS is_changed
               FROM tags r WHERE r.org_id = p.org_id AND r.location_id = p.location_id
             UNION ALL
             SELECT c.id, c.tag_type, c.value, true
               FROM changed_rows c WHERE TG_OP = 'DELETE' AND c.org_id = p.org_id AND c.location_id = p.location_id) g
   ) t
   WHERE l.xmin <> pg_current_xact_id()::xid;
  GET DIAGNOSTICS recorded_too = ROW_COUNT;
  IF recorded + recorded_too > 0 THEN
    PERFORM graphile_worker.add_job('route_events');
  END IF;
  RETURN NULL;
END
$$;
