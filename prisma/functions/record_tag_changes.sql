-- Trigger on `tags`, after each statement that attaches or detaches tags. Writes one entry of `activity_log` for each tag, as
-- a change of the asset or location that it is attached to. Tags of a row that the same transaction created belong to the
-- entry of that row: its version is from this transaction, and it was never updated.
--
-- In organizations that asked for it, also writes `asset.updated` or `location.updated` for each live parent, with its tags
-- before and after. A parent that the same transaction wrote has an event of that with the tags.
--
-- `+ 0` makes the planner use the primary keys, which begin with the id. Without statistics it would consider any index that
-- begins with the organization equally good.
CREATE OR REPLACE FUNCTION record_tag_changes() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off
  SET timezone = 'UTC' AS $$
DECLARE
  author text[] := string_to_array(nullif(current_setting('whereabouts.author', true), ''), ' ');
  recorded bigint;
BEGIN
  INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, batch_id, before, after)
  SELECT t.org_id, date_trunc('milliseconds', clock_timestamp()), p.noun, p.id::text, p.name,
         CASE TG_OP WHEN 'INSERT' THEN 'tag_attached' ELSE 'tag_detached' END,
         coalesce(author[1], 'system'), author[2], author[3]::uuid,
         CASE TG_OP WHEN 'DELETE' THEN json_build_object('tag', t.tag_type || ':' || t.value) END,
         CASE TG_OP WHEN 'INSERT' THEN json_build_object('tag', t.tag_type || ':' || t.value) END
    FROM changed_rows t
   CROSS JOIN LATERAL (
     SELECT 'asset' AS noun, a.id, a.name
       FROM assets a
      WHERE a.id = t.asset_id AND a.org_id + 0 = t.org_id
        AND NOT (a.xmin = pg_current_xact_id()::xid AND a.updated_at = a.created_at)
     UNION ALL
     SELECT 'location', l.id, l.name
       FROM locations l
      WHERE l.id = t.location_id AND l.org_id + 0 = t.org_id
        AND NOT (l.xmin = pg_current_xact_id()::xid AND l.updated_at = l.created_at)
      LIMIT 1
   ) p
   WHERE t.deleted_at IS NULL;
  INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, location_id, data)
  SELECT c.org_id, p.noun || '.updated', clock_timestamp(), c.asset_id, c.location_id,
         json_build_object(
           'before', json_build_object('row', p.version, 'tags', CASE TG_OP WHEN 'INSERT' THEN t.rest ELSE t.all_tags END, 'keys', k.keys),
           'after', json_build_object('row', p.version, 'tags', CASE TG_OP WHEN 'INSERT' THEN t.all_tags ELSE t.rest END, 'keys', k.keys))
    FROM (SELECT r.org_id, r.asset_id, r.location_id, i.types,
                 array_agg(r.id) AS tag_ids, array_agg(r.tag_type) AS tag_types, array_agg(r.value) AS tag_values
            FROM changed_rows r
            JOIN event_interests i ON i.org_id = r.org_id AND i.types && ARRAY['asset.updated', 'location.updated']
           GROUP BY r.org_id, r.asset_id, r.location_id, i.types) c
   CROSS JOIN LATERAL (
     SELECT 'asset' AS noun, a.id, to_json(a) AS version
       FROM assets a
      WHERE a.id = c.asset_id AND a.org_id + 0 = c.org_id AND a.deleted_at IS NULL AND a.xmin <> pg_current_xact_id()::xid
     UNION ALL
     SELECT 'location', l.id, to_json(l)
       FROM locations l
      WHERE l.id = c.location_id AND l.org_id + 0 = c.org_id AND l.deleted_at IS NULL AND l.xmin <> pg_current_xact_id()::xid
   ) p
   CROSS JOIN LATERAL (
     SELECT coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id), '[]') AS all_tags,
            coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id)
                     FILTER (WHERE NOT g.is_changed), '[]') AS rest
       FROM (SELECT r.id, r.tag_type, r.value, r.id = ANY (c.tag_ids) AS is_changed
               FROM tags_of(p.noun, c.org_id, p.id) r
             UNION ALL
             SELECT r.id, r.tag_type, r.value, true
               FROM unnest(c.tag_ids, c.tag_types, c.tag_values) AS r (id, tag_type, value)
              WHERE TG_OP = 'DELETE') g
   ) t
   CROSS JOIN LATERAL (
     SELECT json_object_agg(f.label || '_external_key', f.external_key) AS keys FROM references_of(p.noun, c.org_id, p.version) f
   ) k
   WHERE p.noun || '.updated' = ANY (c.types);
  GET DIAGNOSTICS recorded = ROW_COUNT;
  IF recorded > 0 THEN
    PERFORM graphile_worker.add_job('route_events');
  END IF;
  RETURN NULL;
END
$$;
