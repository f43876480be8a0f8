-- Locks: SHARE ROW EXCLUSIVE on assets, locations and tags for the new triggers, for milliseconds: no row is read or
-- written. The new tables reference organizations and users, which takes SHARE ROW EXCLUSIVE on them for as long.

-- Processes that run jobs. What a process had locked when it died is released by another one.
CREATE TABLE job_processes (
  id UUID PRIMARY KEY,
  worker_ids TEXT[] NOT NULL,
  seen_at TIMESTAMPTZ(3) NOT NULL
);

-- Which types of events an organization has a use for. An organization without a row, or with no types, costs nothing.
CREATE TABLE event_interests (
  org_id INTEGER PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  types TEXT[] NOT NULL,
  updated_at TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX event_interests_updated_at ON event_interests (updated_at);

-- Events between the transaction of their change and the job that turns them into alerts and deliveries.
CREATE TABLE outbox_events (
  id BIGSERIAL PRIMARY KEY,
  org_id INTEGER NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  key UUID NOT NULL DEFAULT gen_random_uuid(),
  type TEXT NOT NULL,
  occurred_at TIMESTAMPTZ(3) NOT NULL,
  asset_id INTEGER,
  location_id INTEGER,
  reader_id INTEGER,
  data JSON NOT NULL
);
CREATE INDEX outbox_events_org ON outbox_events (org_id, id);

CREATE TABLE webhook_endpoints (
  id SERIAL PRIMARY KEY,
  org_id INTEGER NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  event_types TEXT[] NOT NULL,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_secret_until TIMESTAMPTZ(3),
  is_enabled BOOLEAN NOT NULL DEFAULT true,
  disabled_at TIMESTAMPTZ(3),
  -- `gone`, `failing` or `user`.
  disabled_reason TEXT,
  failing_since TIMESTAMPTZ(3),
  last_success_at TIMESTAMPTZ(3),
  last_failure_at TIMESTAMPTZ(3),
  dropped_count BIGINT NOT NULL DEFAULT 0,
  last_dropped_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL,
  updated_at TIMESTAMPTZ(3) NOT NULL,
  UNIQUE (org_id, id)
);

CREATE TABLE webhook_deliveries (
  id BIGSERIAL PRIMARY KEY,
  org_id INTEGER NOT NULL,
  endpoint_id INTEGER NOT NULL,
  event_key UUID NOT NULL,
  event_type TEXT NOT NULL,
  body TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  -- Attempts of the present round; "Send again" begins a new one.
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TIMESTAMPTZ(3) NOT NULL,
  -- Until then an attempt is under way.
  claimed_until TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL,
  finished_at TIMESTAMPTZ(3),
  last_status_code INTEGER,
  last_error TEXT,
  FOREIGN KEY (org_id, endpoint_id) REFERENCES webhook_endpoints (org_id, id) ON DELETE CASCADE ON UPDATE NO ACTION,
  UNIQUE (endpoint_id, event_key)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries (endpoint_id) WHERE claimed_until IS NOT NULL;
CREATE INDEX webhook_deliveries_backlog ON webhook_deliveries (org_id) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_log ON webhook_deliveries (org_id, endpoint_id, id DESC);
CREATE INDEX webhook_deliveries_created_at ON webhook_deliveries (created_at);

CREATE TABLE webhook_attempts (
  id BIGSERIAL PRIMARY KEY,
  delivery_id BIGINT NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  attempted_at TIMESTAMPTZ(3) NOT NULL,
  duration_ms INTEGER NOT NULL,
  status_code INTEGER,
  error TEXT,
  answer TEXT
);
CREATE INDEX webhook_attempts_delivery ON webhook_attempts (delivery_id, id);

CREATE TABLE alert_rules (
  id SERIAL PRIMARY KEY,
  org_id INTEGER NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  event_type TEXT NOT NULL,
  is_enabled BOOLEAN NOT NULL DEFAULT true,
  -- What the rule applies to, as `server/alert-rules/schemas.ts` defines it.
  condition JSON NOT NULL,
  limit_seconds INTEGER,
  schedule JSON,
  quiet_seconds INTEGER NOT NULL DEFAULT 0,
  notify_app BOOLEAN NOT NULL DEFAULT true,
  email_user_ids INTEGER[] NOT NULL DEFAULT '{}',
  email_mode TEXT NOT NULL DEFAULT 'each' CHECK (email_mode IN ('each', 'hourly', 'daily')),
  endpoint_ids INTEGER[] NOT NULL DEFAULT '{}',
  -- Of a time limit: conditions that began until then have been looked at. Null: none.
  checked_until TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL,
  updated_at TIMESTAMPTZ(3) NOT NULL,
  UNIQUE (org_id, id)
);
CREATE INDEX alert_rules_timed ON alert_rules (id) WHERE is_enabled AND limit_seconds IS NOT NULL;

CREATE TABLE alerts (
  id BIGSERIAL PRIMARY KEY,
  org_id INTEGER NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- Null once the rule is deleted.
  rule_id INTEGER REFERENCES alert_rules (id) ON DELETE SET NULL,
  rule_name TEXT NOT NULL,
  event_key UUID NOT NULL,
  event_type TEXT NOT NULL,
  -- What the alert is about: `asset:7`, `reader:3`, `location:2`, or `tag:rfid:` with a value.
  subject TEXT NOT NULL,
  asset_id INTEGER,
  location_id INTEGER,
  reader_id INTEGER,
  -- The event's data.
  data JSON NOT NULL,
  in_app BOOLEAN NOT NULL,
  -- Whether the alert ends by itself, with its condition.
  is_condition BOOLEAN NOT NULL,
  opened_at TIMESTAMPTZ(3) NOT NULL,
  ended_at TIMESTAMPTZ(3),
  acknowledged_at TIMESTAMPTZ(3),
  acknowledged_by INTEGER REFERENCES users (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX alerts_rule_event ON alerts (rule_id, event_key);
CREATE UNIQUE INDEX alerts_open_condition ON alerts (rule_id, subject) WHERE is_condition AND ended_at IS NULL;
CREATE INDEX alerts_rule_subject ON alerts (rule_id, subject, opened_at DESC);
CREATE INDEX alerts_open ON alerts (org_id, id DESC) WHERE in_app AND ended_at IS NULL AND acknowledged_at IS NULL;
CREATE INDEX alerts_list ON alerts (org_id, id DESC) WHERE in_app;
CREATE INDEX alerts_opened_at ON alerts (opened_at);
CREATE INDEX alerts_acknowledged_by ON alerts (acknowledged_by) WHERE acknowledged_by IS NOT NULL;

-- Alerts that wait to be mailed to a member.
CREATE TABLE alert_emails (
  id BIGSERIAL PRIMARY KEY,
  org_id INTEGER NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  alert_id BIGINT NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
  due_at TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX alert_emails_recipient ON alert_emails (user_id, org_id, due_at);
CREATE INDEX alert_emails_alert ON alert_emails (alert_id);
CREATE INDEX alert_emails_org ON alert_emails (org_id);
CREATE INDEX alert_emails_due_at ON alert_emails (due_at);

-- Formats an instant as the public API does: `YYYY-MM-DDTHH:MM:SS.mmmZ` in UTC. Null stays null.
CREATE OR REPLACE FUNCTION api_timestamp(at timestamptz) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE STRICT
  RETURN to_char($1 AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Returns the public view of an asset for an outbound event. `metadata` above 32 KiB is null, which bounds the event.
CREATE OR REPLACE FUNCTION asset_event_view(a assets, tags json) RETURNS json
  LANGUAGE sql STABLE
  RETURN json_build_object(
    'id', (a).id, 'external_key', (a).external_key, 'name', (a).name, 'description', (a).description,
    'is_active', (a).is_active,
    'metadata', CASE WHEN octet_length((a).metadata::text) <= 32768 THEN (a).metadata END,
    'valid_from', api_timestamp((a).valid_from), 'valid_to', api_timestamp((a).valid_to),
    'created_at', api_timestamp((a).created_at), 'updated_at', api_timestamp((a).updated_at),
    'deleted_at', api_timestamp((a).deleted_at), 'tags', tags);

-- Returns the public view of a location for an outbound event.
CREATE OR REPLACE FUNCTION location_event_view(l locations, tags json) RETURNS json
  LANGUAGE sql STABLE
  RETURN json_build_object(
    'id', (l).id, 'external_key', (l).external_key, 'name', (l).name, 'description', (l).description,
    'parent_id', (l).parent_id,
    'parent_external_key', (SELECT p.external_key FROM locations p WHERE p.org_id = (l).org_id AND p.id = (l).parent_id),
    'is_active', (l).is_active,
    'valid_from', api_timestamp((l).valid_from), 'valid_to', api_timestamp((l).valid_to),
    'created_at', api_timestamp((l).created_at), 'updated_at', api_timestamp((l).updated_at),
    'deleted_at', api_timestamp((l).deleted_at), 'tags', tags);

-- Trigger on `assets`, after each statement. Writes an event for each asset that was created, changed or deleted, in
-- organizations that asked for that type of event, and adds a job that delivers them. A change of `updated_at` alone is
-- no event.
CREATE OR REPLACE FUNCTION record_asset_events() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE FUNCTION record_location_events() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- Trigger on `tags`, after each statement that attaches or detaches some. Writes `asset.updated` or `location.updated` for
-- each live parent, with its tags before and after. A parent created by the same transaction has `created` instead.
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

-- Trigger on `alert_rules` and `webhook_endpoints`, after each row. Keeps in `event_interests` which types of events an
-- organization has a use for. Rules of time limits need none: they are checked by the clock.
CREATE OR REPLACE FUNCTION keep_event_interests() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  org integer := CASE WHEN TG_OP = 'DELETE' THEN OLD.org_id ELSE NEW.org_id END;
BEGIN
  -- Two changes at once: the second computes the types after the first has committed.
  PERFORM pg_advisory_xact_lock(27, org);
  INSERT INTO event_interests AS e (org_id, types, updated_at)
  SELECT o.id, t.types, clock_timestamp()
    FROM organizations o
   CROSS JOIN LATERAL (
     SELECT coalesce(array_agg(DISTINCT w.type ORDER BY w.type), '{}') AS types
       FROM (SELECT r.event_type AS type FROM alert_rules r WHERE r.org_id = org AND r.is_enabled
             UNION ALL
             SELECT unnest(p.event_types) FROM webhook_endpoints p WHERE p.org_id = org AND p.is_enabled) w
   ) t
   WHERE o.id = org
  ON CONFLICT (org_id) DO UPDATE SET types = EXCLUDED.types, updated_at = EXCLUDED.updated_at
   WHERE e.types IS DISTINCT FROM EXCLUDED.types;
  RETURN NULL;
END
$$;


CREATE TRIGGER keep_event_interests AFTER INSERT OR UPDATE OR DELETE ON alert_rules
  FOR EACH ROW EXECUTE FUNCTION keep_event_interests();
CREATE TRIGGER keep_event_interests AFTER INSERT OR DELETE OR UPDATE OF is_enabled, event_types ON webhook_endpoints
  FOR EACH ROW EXECUTE FUNCTION keep_event_interests();

CREATE TRIGGER record_created_assets AFTER INSERT ON assets REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_asset_events();
CREATE TRIGGER record_changed_assets AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_asset_events();
CREATE TRIGGER record_created_locations AFTER INSERT ON locations REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_location_events();
CREATE TRIGGER record_changed_locations AFTER UPDATE ON locations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_location_events();
CREATE TRIGGER record_attached_tags AFTER INSERT ON tags REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_tag_events();
CREATE TRIGGER record_detached_tags AFTER DELETE ON tags REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_tag_events();
