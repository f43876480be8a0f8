-- Locks: SHARE ROW EXCLUSIVE on assets, locations and tags, for milliseconds: creating a trigger makes writes wait. No row is
-- read or written.

-- Who changed what, by month. Entries refer to objects without foreign keys, since they outlive them.
CREATE TABLE activity_log (
  org_id int NOT NULL,
  id bigserial NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  kind text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  object_name text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL,
  entry_point text COLLATE "C" NOT NULL,
  actor text COLLATE "C",
  before json,
  after json,
  CONSTRAINT activity_log_pkey PRIMARY KEY (org_id, occurred_at, id)
) PARTITION BY RANGE (occurred_at);
CREATE INDEX activity_log_object ON activity_log (org_id, kind, object_id, occurred_at, id);
-- Takes the entries of a month that has no partition yet, so that no change fails for want of one.
CREATE TABLE activity_log_default PARTITION OF activity_log DEFAULT;

-- Returns the name of a location with its key, such as `Aisle A (LOC-0001)`, or null without a location.
CREATE OR REPLACE FUNCTION location_of_activity(org_id int, location_id int) RETURNS text LANGUAGE sql STABLE STRICT AS $$
  SELECT l.name || ' (' || l.external_key || ')' FROM locations l WHERE l.org_id = $1 AND l.id = $2
$$;

-- Trigger on `assets`, after each statement that inserts or updates. Writes one entry of `activity_log` for each asset that
-- was created, changed or deleted; an update that leaves every field as it was writes none. `before` and `after` hold the
-- fields that differ, without nulls; instants are epoch milliseconds, and long texts are cut. The setting
-- `whereabouts.author` names the author: the entry point and the actor, separated by a space.
-- Metadata stays text: as `jsonb` its largest numbers would be spelled out, or refused.
-- A plan is kept for the connection and may come from a statement of one row: without nested loops it does not compare
-- 100,000 rows with each other, and without sequential scans and the order of an index it does not read all tags for each.
-- At most 20 tags are kept.
CREATE OR REPLACE FUNCTION log_asset_changes() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off
  SET enable_seqscan = off AS $$
DECLARE
  author text[] := string_to_array(nullif(current_setting('whereabouts.author', true), ''), ' ');
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), 'asset', n.id::text, n.name, 'created',
           coalesce(author[1], 'system'), author[2],
           json_strip_nulls(json_build_object(
             'external_key', n.external_key, 'name', n.name, 'description', left(n.description, 500),
             'is_active', n.is_active, 'metadata', nullif(left(n.metadata::text, 2000), '{}'),
             'valid_from', round(date_part('epoch', n.valid_from) * 1000)::bigint,
             'valid_to', round(date_part('epoch', n.valid_to) * 1000)::bigint,
             'tags', (SELECT to_json((array_agg(tag_type || ':' || value ORDER BY id + 0))[1:20])
                        FROM tags
                       WHERE org_id = n.org_id AND asset_id = n.id)))
      FROM new_rows n
     WHERE n.deleted_at IS NULL;
  ELSE
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, before, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), 'asset', n.id::text, n.name,
           CASE WHEN n.deleted_at IS NULL THEN 'updated' ELSE 'deleted' END,
           coalesce(author[1], 'system'), author[2],
           CASE WHEN n.deleted_at IS NULL THEN
             json_strip_nulls(json_build_object(
               'external_key', CASE WHEN o.external_key <> n.external_key THEN o.external_key END,
               'name', CASE WHEN o.name <> n.name THEN o.name END,
               'description', CASE WHEN o.description IS DISTINCT FROM n.description THEN left(o.description, 500) END,
               'is_active', CASE WHEN o.is_active <> n.is_active THEN o.is_active END,
               'metadata', CASE WHEN o.metadata::text <> n.metadata::text THEN left(o.metadata::text, 2000) END,
               'valid_from', CASE WHEN o.valid_from <> n.valid_from THEN round(date_part('epoch', o.valid_from) * 1000)::bigint END,
               'valid_to', CASE WHEN o.valid_to IS DISTINCT FROM n.valid_to THEN round(date_part('epoch', o.valid_to) * 1000)::bigint END))
           ELSE
             json_strip_nulls(json_build_object(
               'external_key', o.external_key, 'name', o.name, 'description', left(o.description, 500),
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
               'description', CASE WHEN o.description IS DISTINCT FROM n.description THEN left(n.description, 500) END,
               'is_active', CASE WHEN o.is_active <> n.is_active THEN n.is_active END,
               'metadata', CASE WHEN o.metadata::text <> n.metadata::text THEN left(n.metadata::text, 2000) END,
               'valid_from', CASE WHEN o.valid_from <> n.valid_from THEN round(date_part('epoch', n.valid_from) * 1000)::bigint END,
               'valid_to', CASE WHEN o.valid_to IS DISTINCT FROM n.valid_to THEN round(date_part('epoch', n.valid_to) * 1000)::bigint END))
           END
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
     WHERE o.deleted_at IS NULL
       AND (n.deleted_at IS NOT NULL
            OR (o.external_key, o.name, o.is_active, o.metadata::text, o.valid_from)
               <> (n.external_key, n.name, n.is_active, n.metadata::text, n.valid_from)
            OR (o.description, o.valid_to) IS DISTINCT FROM (n.description, n.valid_to));
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `locations`, after each statement that inserts or updates. Works as `log_asset_changes`. `parent` is the
-- name of the parent with its key, as it is when the entry is written.
CREATE OR REPLACE FUNCTION log_location_changes() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off
  SET enable_seqscan = off AS $$
DECLARE
  author text[] := string_to_array(nullif(current_setting('whereabouts.author', true), ''), ' ');
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), 'location', n.id::text, n.name, 'created',
           coalesce(author[1], 'system'), author[2],
           json_strip_nulls(json_build_object(
             'external_key', n.external_key, 'name', n.name, 'description', left(n.description, 500),
             'parent', location_of_activity(n.org_id, n.parent_id),
             'is_active', n.is_active,
             'valid_from', round(date_part('epoch', n.valid_from) * 1000)::bigint,
             'valid_to', round(date_part('epoch', n.valid_to) * 1000)::bigint,
             'tags', (SELECT to_json((array_agg(tag_type || ':' || value ORDER BY id + 0))[1:20])
                        FROM tags
                       WHERE org_id = n.org_id AND location_id = n.id)))
      FROM new_rows n
     WHERE n.deleted_at IS NULL;
  ELSE
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, before, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), 'location', n.id::text, n.name,
           CASE WHEN n.deleted_at IS NULL THEN 'updated' ELSE 'deleted' END,
           coalesce(author[1], 'system'), author[2],
           CASE WHEN n.deleted_at IS NULL THEN
             json_strip_nulls(json_build_object(
               'external_key', CASE WHEN o.external_key <> n.external_key THEN o.external_key END,
               'name', CASE WHEN o.name <> n.name THEN o.name END,
               'description', CASE WHEN o.description IS DISTINCT FROM n.description THEN left(o.description, 500) END,
               'parent', CASE WHEN o.parent_id IS DISTINCT FROM n.parent_id THEN location_of_activity(o.org_id, o.parent_id) END,
               'is_active', CASE WHEN o.is_active <> n.is_active THEN o.is_active END,
               'valid_from', CASE WHEN o.valid_from <> n.valid_from THEN round(date_part('epoch', o.valid_from) * 1000)::bigint END,
               'valid_to', CASE WHEN o.valid_to IS DISTINCT FROM n.valid_to THEN round(date_part('epoch', o.valid_to) * 1000)::bigint END))
           ELSE
             json_strip_nulls(json_build_object(
               'external_key', o.external_key, 'name', o.name, 'description', left(o.description, 500),
               'parent', location_of_activity(o.org_id, o.parent_id),
               'is_active', o.is_active,
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
               'description', CASE WHEN o.description IS DISTINCT FROM n.description THEN left(n.description, 500) END,
               'parent', CASE WHEN o.parent_id IS DISTINCT FROM n.parent_id THEN location_of_activity(n.org_id, n.parent_id) END,
               'is_active', CASE WHEN o.is_active <> n.is_active THEN n.is_active END,
               'valid_from', CASE WHEN o.valid_from <> n.valid_from THEN round(date_part('epoch', n.valid_from) * 1000)::bigint END,
               'valid_to', CASE WHEN o.valid_to IS DISTINCT FROM n.valid_to THEN round(date_part('epoch', n.valid_to) * 1000)::bigint END))
           END
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
     WHERE o.deleted_at IS NULL
       AND (n.deleted_at IS NOT NULL
            OR (o.external_key, o.name, o.is_active, o.valid_from) <> (n.external_key, n.name, n.is_active, n.valid_from)
            OR (o.description, o.parent_id, o.valid_to) IS DISTINCT FROM (n.description, n.parent_id, n.valid_to));
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `tags`, after each statement that inserts or deletes. Writes one entry of `activity_log` for each tag, as a
-- change of the asset or location that it is attached to. Tags of a row that the same transaction created belong to the
-- entry of that row: its version is of this transaction, and it was never updated. The sums make the planner use the primary
-- keys, which begin with the id: without statistics it would take any index that begins with the organization for as good.
CREATE OR REPLACE FUNCTION log_tag_changes() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  author text[] := string_to_array(nullif(current_setting('whereabouts.author', true), ''), ' ');
BEGIN
  INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, before, after)
  SELECT t.org_id, date_trunc('milliseconds', clock_timestamp()),
         CASE WHEN t.asset_id IS NULL THEN 'location' ELSE 'asset' END,
         p.id::text, p.name,
         CASE WHEN TG_OP = 'INSERT' THEN 'tag_attached' ELSE 'tag_detached' END,
         coalesce(author[1], 'system'), author[2],
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

-- These two took minutes for an update of 10,000 assets.

-- Trigger on `assets` and `locations`, after each statement. Arguments: the kind and the prefix of the keys. Updates
-- the free ranges from the rows that the statement changed. Only live rows occupy slots. Old and new rows are grouped
-- instead of joined: a join planned for one row would compare all pairs of a bulk change.
CREATE OR REPLACE FUNCTION keep_key_slots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- An import has taken its slots before it inserts the rows.
    IF current_setting('whereabouts.keys_reserved', true) = 'on' THEN
      RETURN NULL;
    END IF;
    PERFORM take_key_slots(org_id, TG_ARGV[0], array_agg(slot))
       FROM (SELECT org_id, key_slot(TG_ARGV[1], external_key) AS slot FROM new_rows WHERE deleted_at IS NULL) taken
      WHERE slot IS NOT NULL
      GROUP BY org_id;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM give_key_slots(org_id, TG_ARGV[0], array_agg(slot))
       FROM (SELECT org_id, key_slot(TG_ARGV[1], external_key) AS slot FROM old_rows WHERE deleted_at IS NULL) given
      WHERE slot IS NOT NULL
      GROUP BY org_id;
  ELSIF EXISTS (
    SELECT FROM (SELECT id, external_key, deleted_at IS NULL AS is_live FROM old_rows
                 UNION ALL
                 SELECT id, external_key, deleted_at IS NULL FROM new_rows) versions
     GROUP BY id
    HAVING min(external_key) <> max(external_key) OR bool_or(is_live) <> bool_and(is_live)
  ) THEN
    PERFORM give_key_slots(org_id, TG_ARGV[0], array_agg(slot))
       FROM (SELECT org_id, key_slot(TG_ARGV[1], external_key) AS slot FROM old_rows WHERE deleted_at IS NULL
             EXCEPT
             SELECT org_id, key_slot(TG_ARGV[1], external_key) FROM new_rows WHERE deleted_at IS NULL) given
      WHERE slot IS NOT NULL
      GROUP BY org_id;
    PERFORM take_key_slots(org_id, TG_ARGV[0], array_agg(slot))
       FROM (SELECT org_id, key_slot(TG_ARGV[1], external_key) AS slot FROM new_rows WHERE deleted_at IS NULL
             EXCEPT
             SELECT org_id, key_slot(TG_ARGV[1], external_key) FROM old_rows WHERE deleted_at IS NULL) taken
      WHERE slot IS NOT NULL
      GROUP BY org_id;
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `asset_positions` and `assets`, after each statement. Counts inserted and deleted positions in
-- `row_counts`, in shards as `keep_row_counts` does. A position counts as deleted while its asset is deleted.
-- Old and new rows are grouped instead of joined: a join planned for one row would compare all pairs of a bulk change.
CREATE OR REPLACE FUNCTION keep_position_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'assets' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, shard, n)
    SELECT moved.org_id, 'position', true, moved.is_deleted, pg_backend_pid() % 16, sum(moved.change)
      FROM (SELECT changed.org_id, changed.id, changed.now_deleted = side.now_deleted AS is_deleted, side.change
              FROM (SELECT org_id, id, bool_or(is_new AND is_deleted) AS now_deleted
                      FROM (SELECT org_id, id, true AS is_new, deleted_at IS NOT NULL AS is_deleted FROM new_rows
                            UNION ALL
                            SELECT org_id, id, false, deleted_at IS NOT NULL FROM old_rows) versions
                     GROUP BY org_id, id
                    HAVING bool_or(is_deleted) <> bool_and(is_deleted)) changed
             CROSS JOIN (VALUES (true, 1), (false, -1)) AS side (now_deleted, change)) moved
      JOIN asset_positions p ON p.org_id = moved.org_id AND p.asset_id = moved.id
     GROUP BY moved.org_id, moved.is_deleted
     ORDER BY 1, 4
    ON CONFLICT (org_id, kind, is_active, is_deleted, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, shard, n)
    SELECT p.org_id, 'position', true, a.deleted_at IS NOT NULL, pg_backend_pid() % 16, count(*)
      FROM new_rows p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
     GROUP BY p.org_id, a.deleted_at IS NOT NULL
     ORDER BY 1, 4
    ON CONFLICT (org_id, kind, is_active, is_deleted, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  ELSE
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, shard, n)
    SELECT p.org_id, 'position', true, a.deleted_at IS NOT NULL, pg_backend_pid() % 16, -count(*)
      FROM old_rows p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
     GROUP BY p.org_id, a.deleted_at IS NOT NULL
     ORDER BY 1, 4
    ON CONFLICT (org_id, kind, is_active, is_deleted, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  END IF;
  RETURN NULL;
END
$$;

-- Without nested loops, which compared all pairs of old and new rows.

-- Trigger on `assets`, after each statement. Writes an event for each asset that was created, changed or deleted, in
-- organizations that asked for that type of event, and adds a job that delivers them. A change of `updated_at` alone is
-- no event.
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
           json_build_object('before', asset_event_view(o, t.tags),
                             'after', CASE WHEN n.deleted_at IS NULL THEN asset_event_view(n, t.tags) END)
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
     CROSS JOIN LATERAL (
       SELECT CASE WHEN n.deleted_at IS NULL THEN 'asset.updated' ELSE 'asset.deleted' END AS type,
              coalesce(n.deleted_at, n.updated_at) AS at
     ) c
      JOIN event_interests i ON i.org_id = n.org_id AND c.type = ANY (i.types)
     CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id), '[]') AS tags
         FROM tags g WHERE g.org_id = n.org_id AND g.asset_id = n.id
     ) t
     WHERE o.deleted_at IS NULL
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
           json_build_object('before', location_event_view(o, t.tags),
                             'after', CASE WHEN n.deleted_at IS NULL THEN location_event_view(n, t.tags) END)
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
     CROSS JOIN LATERAL (
       SELECT CASE WHEN n.deleted_at IS NULL THEN 'location.updated' ELSE 'location.deleted' END AS type,
              coalesce(n.deleted_at, n.updated_at) AS at
     ) c
      JOIN event_interests i ON i.org_id = n.org_id AND c.type = ANY (i.types)
     CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id), '[]') AS tags
         FROM tags g WHERE g.org_id = n.org_id AND g.location_id = n.id
     ) t
     WHERE o.deleted_at IS NULL
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

CREATE TRIGGER log_changes_insert AFTER INSERT ON assets REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION log_asset_changes();
CREATE TRIGGER log_changes_update AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION log_asset_changes();
CREATE TRIGGER log_changes_insert AFTER INSERT ON locations REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION log_location_changes();
CREATE TRIGGER log_changes_update AFTER UPDATE ON locations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION log_location_changes();
CREATE TRIGGER log_changes_insert AFTER INSERT ON tags REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION log_tag_changes();
CREATE TRIGGER log_changes_delete AFTER DELETE ON tags REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION log_tag_changes();
