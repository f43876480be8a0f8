-- Trigger on `tags`, after each statement that inserts or deletes. Writes one entry of `activity_log` for each tag, as
-- a change of the asset or location that it is attached to. Tags of a row that the same transaction created belong to
-- the entry of that row: its version is from this transaction, and it was never updated. `+ 0` makes the planner use
-- the primary keys, which begin with the id. Without statistics it would consider any index that begins with the
-- organization equally good.
CREATE OR REPLACE FUNCTION log_tag_changes() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  author text[] := string_to_array(nullif(current_setting('whereabouts.author', true), ''), ' ');
BEGIN
  INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, import_id, before, after)
  SELECT t.org_id, date_trunc('milliseconds', clock_timestamp()),
         CASE WHEN t.asset_id IS NULL THEN 'location' ELSE 'asset' END,
         p.id::text, p.name,
         CASE WHEN TG_OP = 'INSERT' THEN 'tag_attached' ELSE 'tag_detached' END,
         coalesce(author[1], 'system'), author[2], author[3]::uuid,
         CASE WHEN TG_OP = 'DELETE' THEN json_build_object('tag', t.tag_type || ':' || t.value) END,
         CASE WHEN TG_OP = 'INSERT' THEN json_build_object('tag', t.tag_type || ':' || t.value) END
    FROM changed_rows t
   CROSS JOIN LATERAL (
     SELECT a.id, a.name
       FROM assets a
      WHERE t.asset_id IS NOT NULL AND a.id = t.asset_id AND a.org_id + 0 = t.org_id
        AND NOT (a.xmin = pg_current_xact_id()::xid AND a.updated_at = a.created_at)
     UNION ALL
     SELECT l.id, l.name
       FROM locations l
      WHERE t.location_id IS NOT NULL AND l.id = t.location_id AND l.org_id + 0 = t.org_id
        AND NOT (l.xmin = pg_current_xact_id()::xid AND l.updated_at = l.created_at)
      LIMIT 1
   ) p
   WHERE t.deleted_at IS NULL;
  RETURN NULL;
END
$$;
