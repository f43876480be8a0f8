-- Locks: SHARE ROW EXCLUSIVE on tags and ACCESS EXCLUSIVE on locations, for milliseconds. The functions below are locked
-- until the migration ends; running calls finish with the old version.

-- Trigger on `tags`, after each insertion or update. Deletes the unknown tags that new and restored tags identify: as
-- stored, in normal form and in lower case. Rows that another transaction has locked are skipped. Ingestion locks such rows in another
-- order, so waiting for them could end in a deadlock.
--
-- Each lookup uses a key of `unknown_tags`, whatever the statistics of the table are. An import attaches tens of
-- thousands of tags in one statement, and the plan may have been made for a single tag.
CREATE OR REPLACE FUNCTION forget_known_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM new_rows WHERE deleted_at IS NULL) THEN
    RETURN NULL;
  END IF;
  DELETE FROM unknown_tags
   WHERE id IN (
     SELECT u.id
       FROM unknown_tags u
      WHERE u.id = ANY (ARRAY(
        SELECT m.id
          FROM new_rows n
         CROSS JOIN LATERAL (
           SELECT DISTINCT w.value
             FROM (VALUES (n.value COLLATE "C"), (tag_normal_form(n.tag_type, n.value) COLLATE "C"), (lower(n.value) COLLATE "C"))
                  AS w (value)
         ) way
         CROSS JOIN LATERAL (
           SELECT t.id
             FROM unknown_tags t
            WHERE n.deleted_at IS NULL AND t.org_id = n.org_id AND t.tag_type = n.tag_type AND t.value = way.value
           UNION ALL
           SELECT t.id
             FROM unknown_tags t
            WHERE n.deleted_at IS NULL AND t.org_id = n.org_id AND t.tag_type IS NULL AND t.value = way.value
           OFFSET 0
         ) m))
      ORDER BY u.id
        FOR UPDATE SKIP LOCKED);
  RETURN NULL;
END
$$;

CREATE TRIGGER forget_restored_tags AFTER UPDATE ON tags REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_known_tags();

-- Trigger on `assets`, after each statement. Writes an event for each asset that was created, changed or deleted, in
-- organizations that asked for that type of event, and adds a job that delivers them. A change of `updated_at` alone is
-- no event. A restored asset is an event like a created one: receivers have been told of its deletion.
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

-- Trigger on `locations`, after each statement. Does for locations what `record_asset_events` does for assets.
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

DROP TRIGGER remove_floor_plans ON locations;
DROP FUNCTION remove_floor_plans();
