-- Locks: none. It runs on a database without tables.
--
-- The whole schema as of the first release: extensions, functions that indexes use, tables with their indexes, foreign keys,
-- all other functions, triggers. schema.prisma describes the tables as far as Prisma's language can.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Functions that indexes and checks use

-- Returns a text with its case folded by the rules of Unicode, whatever the locale of the database is. The final form
-- of the Greek letter sigma becomes the ordinary form. Search compares folded texts only.
--
-- The indexes of `search_grams` hold results of this function. A migration that changes them must rebuild these indexes.
--
-- A text of ASCII characters alone is folded without ICU, with the same result in a quarter of the time.
CREATE OR REPLACE FUNCTION fold_case(text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN CASE
    WHEN octet_length($1) = char_length($1) THEN lower($1 COLLATE "C")
    ELSE translate(lower($1 COLLATE "und-x-icu"), 'ς', 'σ') COLLATE "C"
  END;

-- Returns the sequences of four characters in a folded text, one from each position, for an index that finds substrings.
-- At the end of the text they are shorter. Each begins with the id of the organization, so that a search reads the entries
-- of one organization only. A sequence that begins with a control character is omitted: no search can contain one.
--
-- A text of up to four characters is a substring exactly if some sequence begins with it. `search_query` makes the query.
--
-- The indexes `assets_live_grams`, `assets_deleted_grams`, `locations_live_grams`, `locations_deleted_grams` and
-- `tags_live_grams` hold results of this function. A migration that changes them must rebuild these indexes.
--
-- The text is taken in pieces of 64 characters, because `substr` counts the characters from the start of its argument.
CREATE OR REPLACE FUNCTION search_grams(org_id int, folded text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  prefix text := org_id || ':';
  piece text;
  gram text;
  grams text[] := '{}';
  n int := 0;
BEGIN
  FOR start IN 1..char_length(folded) BY 64 LOOP
    piece := substr(folded, start, 67);
    FOR i IN 1..least(64, char_length(piece)) LOOP
      gram := substr(piece, i, 4);
      IF gram >= ' ' COLLATE "C" THEN
        n := n + 1;
        grams[n] := prefix || gram;
      END IF;
    END LOOP;
  END LOOP;
  RETURN array_to_tsvector(grams);
END
$$;

-- Returns the text in which a search for an asset or a location looks: name, key and description, with their case
-- folded as `fold_case` does. The unit separator (U+001F) stands between the three. None of them can contain it, so no
-- match spans two fields.
--
-- The indexes of `search_grams` hold results of this function. A migration that changes them must rebuild
-- these indexes.
--
-- Texts of ASCII characters alone are folded without ICU, with the same result in half of the time.
CREATE OR REPLACE FUNCTION search_text(name text, external_key text, description text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN octet_length(name) = char_length(name)
     AND octet_length(external_key) = char_length(external_key)
     AND octet_length(coalesce(description, '')) = char_length(coalesce(description, ''))
    THEN lower((name || E'\x1f' || external_key || E'\x1f' || coalesce(description, '')) COLLATE "C")
    ELSE translate(
      lower((name || E'\x1f' || external_key || E'\x1f' || coalesce(description, '')) COLLATE "und-x-icu"), 'ς', 'σ'
    ) COLLATE "C"
  END;

-- Returns the normal form of a tag value: upper case and, for the type `ble`, without colons and dashes, because people
-- type MAC addresses with them. A read that equals no stored value is compared by this form.
--
-- The index `tags_live_normal_form` holds results of this function. A migration that changes them must rebuild that
-- index.
CREATE OR REPLACE FUNCTION tag_normal_form(tag_type text, value text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN CASE WHEN $1 = 'ble' THEN upper(translate($2, ':-', '') COLLATE "C") ELSE upper($2 COLLATE "C") END;

-- Tables and their indexes

CREATE TABLE activity_log (
  org_id integer NOT NULL,
  id BIGSERIAL,
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
)
PARTITION BY RANGE (occurred_at);
CREATE INDEX activity_log_object ON activity_log (org_id, kind, object_id, occurred_at, id);

CREATE TABLE activity_log_default PARTITION OF activity_log DEFAULT;

CREATE TABLE alert_emails (
  id BIGSERIAL,
  org_id integer NOT NULL,
  user_id integer NOT NULL,
  alert_id bigint NOT NULL,
  due_at timestamptz(3) NOT NULL,
  CONSTRAINT alert_emails_pkey PRIMARY KEY (id)
);
CREATE INDEX alert_emails_alert ON alert_emails (alert_id);
CREATE INDEX alert_emails_due_at ON alert_emails (due_at);
CREATE INDEX alert_emails_org ON alert_emails (org_id);
CREATE INDEX alert_emails_recipient ON alert_emails (user_id, org_id, due_at);

CREATE TABLE alert_rules (
  id SERIAL,
  org_id integer NOT NULL,
  name text NOT NULL,
  event_type text NOT NULL,
  is_enabled boolean NOT NULL DEFAULT true,
  condition json NOT NULL,
  limit_seconds integer,
  schedule json,
  quiet_seconds integer NOT NULL DEFAULT 0,
  notify_app boolean NOT NULL DEFAULT true,
  email_user_ids integer[] NOT NULL DEFAULT '{}'::integer[],
  email_mode text NOT NULL DEFAULT 'each',
  endpoint_ids integer[] NOT NULL DEFAULT '{}'::integer[],
  checked_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  rechecked_until timestamptz(3),
  CONSTRAINT alert_rules_email_mode_check CHECK ((email_mode = ANY (ARRAY['each'::text, 'hourly'::text, 'daily'::text]))),
  CONSTRAINT alert_rules_org_id_id_key UNIQUE (org_id, id),
  CONSTRAINT alert_rules_pkey PRIMARY KEY (id)
);
CREATE INDEX alert_rules_timed ON alert_rules (id) WHERE (is_enabled AND (limit_seconds IS NOT NULL));

CREATE TABLE alerts (
  id BIGSERIAL,
  org_id integer NOT NULL,
  rule_id integer,
  rule_name text NOT NULL,
  event_key uuid NOT NULL,
  event_type text NOT NULL,
  subject text NOT NULL,
  asset_id integer,
  location_id integer,
  reader_id integer,
  data json NOT NULL,
  in_app boolean NOT NULL,
  is_condition boolean NOT NULL,
  opened_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  acknowledged_at timestamptz(3),
  acknowledged_by integer,
  location_ids integer[] NOT NULL DEFAULT '{}'::integer[],
  CONSTRAINT alerts_pkey PRIMARY KEY (id)
);
CREATE INDEX alerts_acknowledged_by ON alerts (acknowledged_by) WHERE (acknowledged_by IS NOT NULL);
CREATE INDEX alerts_asset ON alerts (org_id, asset_id, id DESC) WHERE (in_app AND (asset_id IS NOT NULL));
CREATE INDEX alerts_list ON alerts (org_id, id DESC) WHERE in_app;
CREATE INDEX alerts_locations ON alerts USING gin (location_ids) WITH (fastupdate=off) WHERE in_app;
CREATE INDEX alerts_open ON alerts (org_id, id DESC) WHERE (in_app AND (ended_at IS NULL) AND (acknowledged_at IS NULL));
CREATE UNIQUE INDEX alerts_open_condition ON alerts (rule_id, subject) WHERE (is_condition AND (ended_at IS NULL));
CREATE INDEX alerts_opened_at ON alerts (opened_at);
CREATE UNIQUE INDEX alerts_rule_event ON alerts (rule_id, event_key);
CREATE INDEX alerts_rule_subject ON alerts (rule_id, subject, opened_at DESC);

CREATE TABLE antenna_levels (
  org_id integer NOT NULL,
  reader_id integer NOT NULL,
  antenna integer NOT NULL,
  mean_dbm real NOT NULL,
  flicker_db real NOT NULL,
  gap_ms real NOT NULL,
  reads real NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT antenna_levels_pkey PRIMARY KEY (reader_id, antenna)
)
WITH (fillfactor='60');
CREATE INDEX antenna_levels_org ON antenna_levels (org_id);

CREATE TABLE api_keys (
  id uuid NOT NULL,
  org_id integer,
  name text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  created_by integer,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id)
);
CREATE INDEX api_keys_org_id_created_at_idx ON api_keys (org_id, created_at);

CREATE TABLE asset_photos (
  org_id integer NOT NULL,
  asset_id integer NOT NULL,
  image_id integer NOT NULL,
  added_at timestamptz(3) NOT NULL,
  CONSTRAINT asset_photos_image UNIQUE (org_id, image_id),
  CONSTRAINT asset_photos_pkey PRIMARY KEY (org_id, asset_id, image_id)
);

CREATE TABLE asset_positions (
  org_id integer NOT NULL,
  asset_id integer NOT NULL,
  location_id integer,
  reader_id integer,
  antenna integer,
  asset_last_seen timestamptz(3) NOT NULL,
  located_since timestamptz(3) NOT NULL,
  last_event_at timestamptz(3),
  last_event_location_id integer,
  locating text COLLATE "C" NOT NULL DEFAULT '',
  is_listed_exactly boolean NOT NULL DEFAULT true,
  CONSTRAINT asset_positions_pkey PRIMARY KEY (org_id, asset_id)
)
WITH (fillfactor='50');
COMMENT ON COLUMN asset_positions.last_event_at IS 'Time of the newest event; null: not known here, ask the events';

CREATE TABLE asset_visits (
  org_id integer NOT NULL,
  asset_id integer NOT NULL,
  arrived_at timestamptz(3) NOT NULL,
  left_at timestamptz(3),
  last_seen_at timestamptz(3),
  location_id integer,
  CONSTRAINT asset_visits_pkey PRIMARY KEY (org_id, asset_id, arrived_at) INCLUDE (location_id)
)
WITH (fillfactor='90');
CREATE INDEX asset_visits_arrivals ON asset_visits (org_id, arrived_at, asset_id);
CREATE INDEX asset_visits_departures ON asset_visits (org_id, location_id, left_at DESC, asset_id) INCLUDE (arrived_at) WHERE (left_at IS NOT NULL);
CREATE INDEX asset_visits_left_at ON asset_visits USING brin (left_at);
CREATE INDEX asset_visits_open ON asset_visits (org_id, location_id, arrived_at, asset_id) WHERE (left_at IS NULL);

CREATE TABLE assets (
  id SERIAL,
  org_id integer NOT NULL,
  external_key text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  is_active boolean NOT NULL DEFAULT true,
  metadata json NOT NULL DEFAULT '{}',
  valid_from timestamptz(3) NOT NULL,
  valid_to timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  is_expired boolean NOT NULL DEFAULT false,
  CONSTRAINT assets_external_key_check CHECK ((external_key ~ '^[A-Za-z0-9-]{1,255}$'::text)),
  CONSTRAINT assets_metadata_check CHECK ((json_typeof(metadata) = 'object'::text)),
  CONSTRAINT assets_pkey PRIMARY KEY (id)
);
COMMENT ON COLUMN assets.is_expired IS 'valid_to has passed; set by maintenance, so it may be false for some time after that';
CREATE INDEX assets_deleted ON assets (org_id, id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX assets_deleted_grams ON assets USING gin (search_grams(org_id, search_text(name, external_key, description))) WITH (gin_pending_list_limit='1024') WHERE (deleted_at IS NOT NULL);
ALTER INDEX assets_deleted_grams ALTER COLUMN 1 SET STATISTICS 0;
CREATE INDEX assets_expired ON assets (org_id, id) INCLUDE (deleted_at) WHERE is_expired;
CREATE INDEX assets_external_key ON assets (org_id, external_key, id);
CREATE INDEX assets_live_created_at ON assets (org_id, created_at, id) INCLUDE (is_active, valid_from, valid_to) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX assets_live_external_key ON assets (org_id, external_key) INCLUDE (id, is_active, valid_from, valid_to) WHERE (deleted_at IS NULL);
CREATE INDEX assets_live_grams ON assets USING gin (search_grams(org_id, search_text(name, external_key, description))) WITH (gin_pending_list_limit='1024') WHERE (deleted_at IS NULL);
ALTER INDEX assets_live_grams ALTER COLUMN 1 SET STATISTICS 0;
CREATE INDEX assets_live_name ON assets (org_id, name, id) INCLUDE (is_active, valid_from, valid_to) WHERE (deleted_at IS NULL);
CREATE INDEX assets_live_updated_at ON assets (org_id, updated_at, id) INCLUDE (is_active, valid_from, valid_to) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX assets_org_id_id_key ON assets (org_id, id);
CREATE INDEX assets_shown_order ON assets (org_id, external_key) WHERE ((deleted_at IS NULL) AND (NOT is_expired));
CREATE INDEX assets_unexpired ON assets (org_id, valid_to) INCLUDE (id, external_key, is_active, valid_from, deleted_at) WHERE ((valid_to IS NOT NULL) AND (NOT is_expired));
CREATE INDEX assets_valid_from ON assets (org_id, valid_from);

CREATE TABLE audit_items (
  org_id integer NOT NULL,
  audit_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  asset_id integer,
  name text COLLATE "C" NOT NULL,
  external_key text COLLATE "C",
  last_location_id integer,
  last_location_name text COLLATE "C",
  last_seen_at timestamptz(3),
  CONSTRAINT audit_items_outcome_check CHECK ((outcome = ANY (ARRAY['found'::text, 'missing'::text, 'unexpected'::text, 'unassigned'::text]))),
  CONSTRAINT audit_items_pkey PRIMARY KEY (org_id, audit_id, "position")
);

CREATE TABLE audits (
  id text COLLATE "C" NOT NULL,
  org_id integer NOT NULL,
  location_id integer NOT NULL,
  started_at timestamptz(3) NOT NULL,
  saved_at timestamptz(3) NOT NULL,
  saved_by integer,
  found integer NOT NULL,
  missing integer NOT NULL,
  unexpected integer NOT NULL,
  unassigned integer NOT NULL,
  CONSTRAINT audits_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX audits_location ON audits (org_id, location_id, saved_at DESC, id DESC);
CREATE INDEX audits_saved_at ON audits (org_id, saved_at DESC, id DESC);
CREATE INDEX audits_saved_by ON audits (saved_by);

CREATE TABLE bulk_edit_rows (
  org_id integer NOT NULL,
  edit_id uuid NOT NULL,
  asset_id integer NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  description text COLLATE "C",
  is_active boolean,
  metadata json,
  valid_from timestamptz(3),
  valid_to timestamptz(3),
  CONSTRAINT bulk_edit_rows_pkey PRIMARY KEY (edit_id, asset_id)
);

CREATE TABLE bulk_edits (
  id uuid NOT NULL,
  org_id integer NOT NULL,
  actor text NOT NULL,
  fields text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  asset_count integer NOT NULL,
  undone_at timestamptz(3),
  restored_count integer,
  CONSTRAINT bulk_edits_org_id_id_key UNIQUE (org_id, id),
  CONSTRAINT bulk_edits_pkey PRIMARY KEY (id)
);
CREATE INDEX bulk_edits_created_at ON bulk_edits (created_at);
CREATE INDEX bulk_edits_recent ON bulk_edits (org_id, created_at DESC);

CREATE TABLE email_domains (
  org_id integer NOT NULL,
  domain text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  verified_at timestamptz(3),
  CONSTRAINT email_domains_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'manager'::text]))),
  CONSTRAINT email_domains_pkey PRIMARY KEY (org_id, domain)
);
CREATE UNIQUE INDEX email_domains_verified ON email_domains (domain) WHERE (verified_at IS NOT NULL);

CREATE TABLE event_interests (
  org_id integer NOT NULL,
  types text[] NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT event_interests_pkey PRIMARY KEY (org_id)
);
CREATE INDEX event_interests_updated_at ON event_interests (updated_at);

CREATE TABLE event_retention (
  id integer NOT NULL,
  days integer NOT NULL,
  next_days integer,
  effective_at timestamptz(3),
  CONSTRAINT event_retention_one_row CHECK ((id = 1)),
  CONSTRAINT event_retention_pkey PRIMARY KEY (id)
);

CREATE TABLE floor_plan_shapes (
  id SERIAL,
  org_id integer NOT NULL,
  plan_location_id integer NOT NULL,
  location_id integer,
  reader_id integer,
  points double precision[] NOT NULL,
  CONSTRAINT floor_plan_shapes_check CHECK (((location_id IS NULL) <> (reader_id IS NULL))),
  CONSTRAINT floor_plan_shapes_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX floor_plan_shapes_location ON floor_plan_shapes (org_id, plan_location_id, location_id);
CREATE INDEX floor_plan_shapes_of_location ON floor_plan_shapes (org_id, location_id) WHERE (location_id IS NOT NULL);
CREATE INDEX floor_plan_shapes_of_reader ON floor_plan_shapes (org_id, reader_id) WHERE (reader_id IS NOT NULL);
CREATE UNIQUE INDEX floor_plan_shapes_reader ON floor_plan_shapes (org_id, plan_location_id, reader_id);

CREATE TABLE floor_plans (
  org_id integer NOT NULL,
  location_id integer NOT NULL,
  image_id integer NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT floor_plans_pkey PRIMARY KEY (org_id, location_id)
);
CREATE UNIQUE INDEX floor_plans_image ON floor_plans (org_id, image_id);

CREATE TABLE free_key_slots (
  org_id integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  last_slot bigint NOT NULL,
  first_slot bigint NOT NULL,
  CONSTRAINT free_key_slots_pkey PRIMARY KEY (org_id, kind, last_slot)
)
WITH (fillfactor='50');

CREATE TABLE images (
  id SERIAL,
  org_id integer NOT NULL,
  kind text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  content bytea NOT NULL,
  thumbnail bytea NOT NULL,
  etag text NOT NULL,
  stored_bytes integer NOT NULL,
  is_attached boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT images_org_id_id_key UNIQUE (org_id, id),
  CONSTRAINT images_pkey PRIMARY KEY (id)
);
ALTER TABLE ONLY images ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE ONLY images ALTER COLUMN thumbnail SET STORAGE EXTERNAL;
CREATE INDEX images_without_owner ON images (created_at) WHERE (NOT is_attached);

CREATE TABLE import_problems (
  import_id uuid NOT NULL,
  place integer NOT NULL,
  org_id integer NOT NULL,
  line integer NOT NULL,
  column_name text COLLATE "C" NOT NULL,
  message text COLLATE "C" NOT NULL,
  CONSTRAINT import_problems_pkey PRIMARY KEY (import_id, place)
);

CREATE TABLE import_rows (
  org_id integer NOT NULL,
  import_id uuid NOT NULL,
  line integer NOT NULL,
  cells text[] NOT NULL,
  target_id integer,
  target_updated_at timestamptz(3),
  is_change boolean NOT NULL DEFAULT false,
  CONSTRAINT import_rows_pkey PRIMARY KEY (import_id, line)
);

CREATE TABLE imports (
  id uuid NOT NULL,
  org_id integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  file_name text COLLATE "C" NOT NULL,
  columns text[] NOT NULL,
  row_count integer NOT NULL,
  received_rows integer NOT NULL DEFAULT 0,
  received_bytes integer NOT NULL DEFAULT 0,
  next_chunk integer NOT NULL DEFAULT 0,
  last_line integer NOT NULL DEFAULT 0,
  done_rows integer NOT NULL DEFAULT 0,
  to_create integer,
  to_change integer,
  unchanged integer,
  problem_count integer,
  problem_lines integer,
  failure text COLLATE "C",
  lease_token uuid,
  lease_until timestamptz(3),
  created_by integer,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finished_at timestamptz(3),
  reserved_slots bigint[],
  CONSTRAINT imports_kind_check CHECK ((kind = ANY (ARRAY['assets'::text, 'locations'::text]))),
  CONSTRAINT imports_status_check CHECK ((status = ANY (ARRAY['uploading'::text, 'received'::text, 'checking'::text, 'checked'::text, 'applying'::text, 'applied'::text, 'cancelled'::text]))),
  CONSTRAINT imports_pkey PRIMARY KEY (id)
);
CREATE INDEX imports_created_at_idx ON imports (created_at);
CREATE INDEX imports_org_id_created_at_idx ON imports (org_id, created_at DESC);
CREATE UNIQUE INDEX imports_org_id_id_key ON imports (org_id, id);

CREATE TABLE invitations (
  id SERIAL,
  org_id integer NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  email text COLLATE "C",
  invited_by integer,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'manager'::text, 'admin'::text]))),
  CONSTRAINT invitations_pkey PRIMARY KEY (id)
);
CREATE INDEX invitations_org_id_created_at_idx ON invitations (org_id, created_at);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);

CREATE TABLE job_processes (
  id uuid NOT NULL,
  worker_ids text[] NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  CONSTRAINT job_processes_pkey PRIMARY KEY (id)
);

CREATE TABLE location_signatures (
  org_id integer NOT NULL,
  location_id integer NOT NULL,
  reader_id integer NOT NULL,
  antenna integer NOT NULL,
  reads real NOT NULL,
  mean_dbm real NOT NULL,
  variance real NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT location_signatures_pkey PRIMARY KEY (location_id, reader_id, antenna)
)
WITH (fillfactor='60');
CREATE INDEX location_signatures_org ON location_signatures (org_id);
CREATE INDEX location_signatures_reader ON location_signatures (reader_id, antenna);

CREATE TABLE locations (
  id SERIAL,
  org_id integer NOT NULL,
  external_key text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  parent_id integer,
  is_active boolean NOT NULL DEFAULT true,
  valid_from timestamptz(3) NOT NULL,
  valid_to timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  is_expired boolean NOT NULL DEFAULT false,
  CONSTRAINT locations_external_key_check CHECK ((external_key ~ '^[A-Za-z0-9-]{1,255}$'::text)),
  CONSTRAINT locations_parent_check CHECK ((parent_id <> id)),
  CONSTRAINT locations_pkey PRIMARY KEY (id)
);
COMMENT ON COLUMN locations.is_expired IS 'valid_to has passed; set by maintenance, so it may be false for some time after that';
CREATE INDEX locations_deleted_at ON locations (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX locations_deleted_grams ON locations USING gin (search_grams(org_id, search_text(name, external_key, description))) WITH (gin_pending_list_limit='1024') WHERE (deleted_at IS NOT NULL);
ALTER INDEX locations_deleted_grams ALTER COLUMN 1 SET STATISTICS 0;
CREATE INDEX locations_external_key ON locations (org_id, external_key, id);
CREATE INDEX locations_live_created_at ON locations (org_id, created_at, id) INCLUDE (is_active, valid_from, valid_to) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX locations_live_external_key ON locations (org_id, external_key) INCLUDE (id, is_active, valid_from, valid_to) WHERE (deleted_at IS NULL);
CREATE INDEX locations_live_grams ON locations USING gin (search_grams(org_id, search_text(name, external_key, description))) WITH (gin_pending_list_limit='1024') WHERE (deleted_at IS NULL);
ALTER INDEX locations_live_grams ALTER COLUMN 1 SET STATISTICS 0;
CREATE INDEX locations_live_name ON locations (org_id, name, id) INCLUDE (is_active, valid_from, valid_to) WHERE (deleted_at IS NULL);
CREATE INDEX locations_live_parent ON locations (org_id, parent_id, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX locations_org_id_id_key ON locations (org_id, id);
CREATE INDEX locations_unexpired ON locations (org_id, valid_to) INCLUDE (is_active, valid_from, deleted_at) WHERE ((valid_to IS NOT NULL) AND (NOT is_expired));
CREATE INDEX locations_valid_from ON locations (org_id, valid_from);

CREATE TABLE memberships (
  org_id integer NOT NULL,
  user_id integer NOT NULL,
  role text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'manager'::text, 'admin'::text]))),
  CONSTRAINT memberships_pkey PRIMARY KEY (org_id, user_id)
);
CREATE INDEX memberships_user_id_idx ON memberships (user_id);

CREATE TABLE metadata_values (
  org_id integer NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  asset_id integer NOT NULL,
  CONSTRAINT metadata_values_pkey PRIMARY KEY (org_id, key, value, asset_id)
);

CREATE TABLE organizations (
  id SERIAL,
  name text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  first_steps_ended_at timestamptz(3),
  moving text COLLATE "C",
  CONSTRAINT organizations_moving_check CHECK ((moving = ANY (ARRAY['leaving'::text, 'left'::text]))),
  CONSTRAINT organizations_pkey PRIMARY KEY (id)
);

CREATE TABLE outbox_events (
  id BIGSERIAL,
  org_id integer NOT NULL,
  key uuid NOT NULL DEFAULT gen_random_uuid(),
  type text NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  asset_id integer,
  location_id integer,
  reader_id integer,
  data json NOT NULL,
  CONSTRAINT outbox_events_pkey PRIMARY KEY (id)
);
CREATE INDEX outbox_events_org ON outbox_events (org_id, id);

CREATE TABLE password_resets (
  user_id integer NOT NULL,
  token_hash text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT password_resets_pkey PRIMARY KEY (user_id)
);
CREATE UNIQUE INDEX password_resets_token_hash ON password_resets (token_hash);

CREATE TABLE position_listings (
  org_id integer NOT NULL,
  asset_id integer NOT NULL,
  location_id integer,
  located_since timestamptz(3) NOT NULL,
  seen_slot integer NOT NULL,
  reader_id integer,
  slot_ms smallint NOT NULL DEFAULT 10000,
  hidden_by smallint NOT NULL DEFAULT 0,
  CONSTRAINT position_listings_pkey PRIMARY KEY (asset_id)
)
WITH (fillfactor='80');
CREATE INDEX position_listings_located_since ON position_listings (org_id, located_since);
CREATE INDEX position_listings_location ON position_listings (org_id, location_id, asset_id);
CREATE INDEX position_listings_order ON position_listings (org_id, seen_slot DESC, slot_ms DESC, hidden_by);
CREATE INDEX position_listings_reader ON position_listings (org_id, reader_id, asset_id);

CREATE TABLE read_counts (
  org_id integer NOT NULL,
  slot timestamptz(3) NOT NULL,
  reads bigint NOT NULL,
  CONSTRAINT read_counts_pkey PRIMARY KEY (org_id, slot)
)
WITH (fillfactor='60');

CREATE TABLE reader_antennas (
  org_id integer NOT NULL,
  reader_id integer NOT NULL,
  port integer NOT NULL,
  location_id integer,
  min_rssi_dbm integer,
  kind text COLLATE "C" NOT NULL DEFAULT 'zone',
  CONSTRAINT reader_antennas_kind_check CHECK ((kind = ANY (ARRAY['zone'::text, 'portal'::text]))),
  CONSTRAINT reader_antennas_pkey PRIMARY KEY (reader_id, port)
);

CREATE TABLE reader_minutes (
  org_id integer NOT NULL,
  reader_id integer NOT NULL,
  minute timestamptz(3) NOT NULL,
  messages integer NOT NULL,
  reads integer NOT NULL,
  rejected integer NOT NULL,
  ignored integer NOT NULL DEFAULT 0,
  CONSTRAINT reader_minutes_pkey PRIMARY KEY (org_id, reader_id, minute)
)
WITH (fillfactor='60');
CREATE INDEX reader_minutes_minute_idx ON reader_minutes (minute);
CREATE INDEX reader_minutes_rejected ON reader_minutes (org_id, reader_id, minute) INCLUDE (rejected) WHERE (rejected > 0);

CREATE TABLE readers (
  id SERIAL,
  org_id integer NOT NULL,
  name text COLLATE "C" NOT NULL,
  format text COLLATE "C" NOT NULL,
  mapping jsonb,
  location_id integer,
  mqtt_username text COLLATE "C" NOT NULL,
  secret_hash text COLLATE "C" NOT NULL,
  publish_topic text COLLATE "C" NOT NULL,
  resolution_seconds integer NOT NULL DEFAULT 60,
  use_receipt_time boolean NOT NULL DEFAULT false,
  last_message_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deleted_at timestamptz(3),
  last_connected_at timestamptz(3),
  last_refused_at timestamptz(3),
  last_refusal_reason text COLLATE "C",
  recognized_format text COLLATE "C",
  recognized_at timestamptz(3),
  location_rule text COLLATE "C" NOT NULL DEFAULT 'evidence',
  clock_offset_ms bigint NOT NULL DEFAULT 0,
  count_private_addresses boolean NOT NULL DEFAULT false,
  CONSTRAINT readers_location_rule_check CHECK ((location_rule = ANY (ARRAY['evidence'::text, 'newest'::text]))),
  CONSTRAINT readers_resolution_check CHECK ((resolution_seconds >= 0)),
  CONSTRAINT readers_pkey PRIMARY KEY (id)
)
WITH (fillfactor='50');
CREATE UNIQUE INDEX readers_mqtt_username_key ON readers (mqtt_username);
CREATE UNIQUE INDEX readers_org_id_id_key ON readers (org_id, id);
CREATE INDEX readers_updated_at_idx ON readers (updated_at);

CREATE TABLE refresh_tokens (
  token_hash text COLLATE "C" NOT NULL,
  session_id uuid NOT NULL,
  issued_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  is_successor boolean NOT NULL DEFAULT false,
  CONSTRAINT refresh_tokens_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX refresh_tokens_session_id_idx ON refresh_tokens (session_id);

CREATE TABLE rejected_messages (
  id BIGSERIAL,
  org_id integer NOT NULL,
  reader_id integer NOT NULL,
  topic text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  payload bytea NOT NULL,
  received_at timestamptz(3) NOT NULL,
  CONSTRAINT rejected_messages_pkey PRIMARY KEY (id)
);
CREATE INDEX rejected_messages_org_id_received_at_id_idx ON rejected_messages (org_id, received_at DESC, id);
CREATE INDEX rejected_messages_reader ON rejected_messages (org_id, reader_id, received_at DESC, id);
CREATE INDEX rejected_messages_received_at_idx ON rejected_messages (received_at);

CREATE TABLE row_counts (
  org_id integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  is_active boolean NOT NULL,
  is_deleted boolean NOT NULL,
  shard smallint NOT NULL,
  n bigint NOT NULL,
  is_expired boolean NOT NULL DEFAULT false,
  changes bigint NOT NULL DEFAULT 1,
  CONSTRAINT row_counts_pkey PRIMARY KEY (org_id, kind, is_active, is_deleted, is_expired, shard)
)
WITH (fillfactor='50');

CREATE TABLE saved_views (
  id SERIAL,
  org_id integer NOT NULL,
  owner_id integer,
  name text COLLATE "C" NOT NULL,
  query text NOT NULL,
  columns text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT saved_views_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX saved_views_name ON saved_views (org_id, owner_id, name) NULLS NOT DISTINCT;

CREATE TABLE scan_events (
  org_id integer NOT NULL,
  asset_id integer NOT NULL,
  event_observed_at timestamptz(3) NOT NULL,
  location_id integer,
  reader_id integer,
  antenna integer,
  rssi_dbm real,
  received_at timestamptz(3) NOT NULL,
  CONSTRAINT scan_events_pkey PRIMARY KEY (org_id, asset_id, event_observed_at)
)
PARTITION BY RANGE (event_observed_at);

CREATE TABLE scan_submissions (
  org_id integer NOT NULL,
  submission_id text COLLATE "C" NOT NULL,
  results jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT scan_submissions_pkey PRIMARY KEY (org_id, submission_id)
);
CREATE INDEX scan_submissions_created_at_idx ON scan_submissions (created_at);

CREATE TABLE sessions (
  id uuid NOT NULL,
  user_id integer NOT NULL,
  org_id integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  revoked_at timestamptz(3),
  device_id text,
  CONSTRAINT sessions_pkey PRIMARY KEY (id)
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);

CREATE TABLE sign_in_throttles (
  key text COLLATE "C" NOT NULL,
  failures integer NOT NULL,
  window_started_at timestamptz(3) NOT NULL,
  CONSTRAINT sign_in_throttles_pkey PRIMARY KEY (key)
);

CREATE TABLE sign_on_identities (
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  user_id integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT sign_on_identities_lengths CHECK (((length(issuer) <= 2048) AND ((length(subject) >= 1) AND (length(subject) <= 255)))),
  CONSTRAINT sign_on_identities_pkey PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX sign_on_identities_user ON sign_on_identities (user_id, issuer);

CREATE TABLE slot_counts (
  org_id integer NOT NULL,
  step smallint NOT NULL,
  range_no integer NOT NULL,
  shard integer NOT NULL,
  n bigint NOT NULL,
  n_deleted bigint NOT NULL DEFAULT 0,
  CONSTRAINT slot_counts_pkey PRIMARY KEY (org_id, step, range_no, shard)
)
WITH (fillfactor='50');

CREATE TABLE tags (
  id SERIAL,
  org_id integer NOT NULL,
  asset_id integer,
  location_id integer,
  tag_type text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  deleted_at timestamptz(3),
  CONSTRAINT tags_parent_check CHECK ((num_nonnulls(asset_id, location_id) = 1)),
  CONSTRAINT tags_tag_type_check CHECK ((tag_type = ANY (ARRAY['rfid'::text, 'ble'::text, 'barcode'::text]))),
  CONSTRAINT tags_value_check CHECK (((char_length(value) >= 1) AND (char_length(value) <= 255))),
  CONSTRAINT tags_pkey PRIMARY KEY (id)
);
CREATE INDEX tags_asset ON tags (org_id, asset_id) WHERE (asset_id IS NOT NULL);
CREATE INDEX tags_live_grams ON tags USING gin (search_grams(org_id, fold_case(value))) WITH (gin_pending_list_limit='1024') WHERE (deleted_at IS NULL);
ALTER INDEX tags_live_grams ALTER COLUMN 1 SET STATISTICS 0;
CREATE INDEX tags_live_normal_form ON tags (tag_normal_form(tag_type, value), org_id, tag_type) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX tags_live_pair ON tags (org_id, tag_type, value) WHERE (deleted_at IS NULL);
CREATE INDEX tags_location ON tags (org_id, location_id) WHERE (location_id IS NOT NULL);

CREATE TABLE unknown_tags (
  id BIGSERIAL,
  org_id integer NOT NULL,
  tag_type text COLLATE "C",
  value text COLLATE "C" NOT NULL,
  reader_id integer,
  antenna integer,
  count bigint NOT NULL,
  first_seen timestamptz(3) NOT NULL,
  last_seen timestamptz(3) NOT NULL,
  CONSTRAINT unknown_tags_pkey PRIMARY KEY (id)
)
WITH (fillfactor='80');
CREATE INDEX unknown_tags_org_id_last_seen_id_idx ON unknown_tags (org_id, last_seen DESC, id);
CREATE UNIQUE INDEX unknown_tags_place_key ON unknown_tags (org_id, tag_type, value, reader_id, antenna) NULLS NOT DISTINCT;

CREATE TABLE users (
  id SERIAL,
  email text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  password_hash text COLLATE "C",
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  time_zone text COLLATE "C",
  locale text COLLATE "C",
  hour_cycle text COLLATE "C",
  language text COLLATE "C",
  CONSTRAINT users_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX users_email_key ON users (email);

CREATE TABLE webhook_attempts (
  id BIGSERIAL,
  delivery_id bigint NOT NULL,
  attempted_at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL,
  status_code integer,
  error text,
  answer text,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_attempts_delivery ON webhook_attempts (delivery_id, id);

CREATE TABLE webhook_deliveries (
  id BIGSERIAL,
  org_id integer NOT NULL,
  endpoint_id integer NOT NULL,
  event_key uuid NOT NULL,
  event_type text NOT NULL,
  body text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL,
  claimed_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  last_status_code integer,
  last_error text,
  answer_bytes integer NOT NULL DEFAULT 0,
  CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))),
  CONSTRAINT webhook_deliveries_endpoint_id_event_key_key UNIQUE (endpoint_id, event_key),
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries (endpoint_id) WHERE (claimed_until IS NOT NULL);
CREATE INDEX webhook_deliveries_created_at ON webhook_deliveries (created_at);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_log ON webhook_deliveries (org_id, endpoint_id, id DESC);

CREATE TABLE webhook_endpoints (
  id SERIAL,
  org_id integer NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  event_types text[] NOT NULL,
  secret text NOT NULL,
  previous_secret text,
  previous_secret_until timestamptz(3),
  is_enabled boolean NOT NULL DEFAULT true,
  disabled_at timestamptz(3),
  disabled_reason text,
  failing_since timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  dropped_count bigint NOT NULL DEFAULT 0,
  last_dropped_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  pending_count integer NOT NULL DEFAULT 0,
  pending_bytes bigint NOT NULL DEFAULT 0,
  log_bytes bigint NOT NULL DEFAULT 0,
  CONSTRAINT webhook_endpoints_org_id_id_key UNIQUE (org_id, id),
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id)
);

-- Foreign keys

ALTER TABLE alert_emails
  ADD CONSTRAINT alert_emails_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alerts(id) ON DELETE CASCADE;
ALTER TABLE alert_emails
  ADD CONSTRAINT alert_emails_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE alert_emails
  ADD CONSTRAINT alert_emails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE alert_rules
  ADD CONSTRAINT alert_rules_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE alerts
  ADD CONSTRAINT alerts_acknowledged_by_fkey FOREIGN KEY (acknowledged_by) REFERENCES users(id) ON DELETE SET NULL;
ALTER TABLE alerts
  ADD CONSTRAINT alerts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE alerts
  ADD CONSTRAINT alerts_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES alert_rules(id) ON DELETE SET NULL;
ALTER TABLE antenna_levels
  ADD CONSTRAINT antenna_levels_org_id_reader_id_fkey FOREIGN KEY (org_id, reader_id) REFERENCES readers(org_id, id) ON DELETE CASCADE;
ALTER TABLE api_keys
  ADD CONSTRAINT api_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE asset_photos
  ADD CONSTRAINT asset_photos_org_id_asset_id_fkey FOREIGN KEY (org_id, asset_id) REFERENCES assets(org_id, id) ON DELETE CASCADE;
ALTER TABLE asset_photos
  ADD CONSTRAINT asset_photos_org_id_image_id_fkey FOREIGN KEY (org_id, image_id) REFERENCES images(org_id, id) ON DELETE CASCADE;
ALTER TABLE asset_positions
  ADD CONSTRAINT asset_positions_org_id_asset_id_fkey FOREIGN KEY (org_id, asset_id) REFERENCES assets(org_id, id) ON DELETE CASCADE;
ALTER TABLE assets
  ADD CONSTRAINT assets_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE audit_items
  ADD CONSTRAINT audit_items_audit_fkey FOREIGN KEY (org_id, audit_id) REFERENCES audits(org_id, id) ON DELETE CASCADE;
ALTER TABLE audits
  ADD CONSTRAINT audits_location_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id);
ALTER TABLE audits
  ADD CONSTRAINT audits_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE audits
  ADD CONSTRAINT audits_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES users(id) ON DELETE SET NULL;
ALTER TABLE bulk_edit_rows
  ADD CONSTRAINT bulk_edit_rows_org_id_edit_id_fkey FOREIGN KEY (org_id, edit_id) REFERENCES bulk_edits(org_id, id) ON DELETE CASCADE;
ALTER TABLE bulk_edits
  ADD CONSTRAINT bulk_edits_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE email_domains
  ADD CONSTRAINT email_domains_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE event_interests
  ADD CONSTRAINT event_interests_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE floor_plan_shapes
  ADD CONSTRAINT floor_plan_shapes_org_id_location_id_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id) ON DELETE CASCADE;
ALTER TABLE floor_plan_shapes
  ADD CONSTRAINT floor_plan_shapes_org_id_plan_location_id_fkey FOREIGN KEY (org_id, plan_location_id) REFERENCES floor_plans(org_id, location_id) ON DELETE CASCADE;
ALTER TABLE floor_plan_shapes
  ADD CONSTRAINT floor_plan_shapes_org_id_reader_id_fkey FOREIGN KEY (org_id, reader_id) REFERENCES readers(org_id, id) ON DELETE CASCADE;
ALTER TABLE floor_plans
  ADD CONSTRAINT floor_plans_org_id_image_id_fkey FOREIGN KEY (org_id, image_id) REFERENCES images(org_id, id);
ALTER TABLE floor_plans
  ADD CONSTRAINT floor_plans_org_id_location_id_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id) ON DELETE CASCADE;
ALTER TABLE images
  ADD CONSTRAINT images_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE import_problems
  ADD CONSTRAINT import_problems_org_id_import_id_fkey FOREIGN KEY (org_id, import_id) REFERENCES imports(org_id, id) ON DELETE CASCADE;
ALTER TABLE import_rows
  ADD CONSTRAINT import_rows_org_id_import_id_fkey FOREIGN KEY (org_id, import_id) REFERENCES imports(org_id, id) ON DELETE CASCADE;
ALTER TABLE imports
  ADD CONSTRAINT imports_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE invitations
  ADD CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE invitations
  ADD CONSTRAINT invitations_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE location_signatures
  ADD CONSTRAINT location_signatures_org_id_location_id_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id) ON DELETE CASCADE;
ALTER TABLE location_signatures
  ADD CONSTRAINT location_signatures_org_id_reader_id_fkey FOREIGN KEY (org_id, reader_id) REFERENCES readers(org_id, id) ON DELETE CASCADE;
ALTER TABLE locations
  ADD CONSTRAINT locations_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE locations
  ADD CONSTRAINT locations_org_id_parent_id_fkey FOREIGN KEY (org_id, parent_id) REFERENCES locations(org_id, id);
ALTER TABLE memberships
  ADD CONSTRAINT memberships_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE memberships
  ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE outbox_events
  ADD CONSTRAINT outbox_events_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE password_resets
  ADD CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE position_listings
  ADD CONSTRAINT position_listings_org_id_asset_id_fkey FOREIGN KEY (org_id, asset_id) REFERENCES assets(org_id, id) ON DELETE CASCADE;
ALTER TABLE read_counts
  ADD CONSTRAINT read_counts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE reader_antennas
  ADD CONSTRAINT reader_antennas_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE reader_antennas
  ADD CONSTRAINT reader_antennas_org_id_location_id_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id);
ALTER TABLE reader_antennas
  ADD CONSTRAINT reader_antennas_org_id_reader_id_fkey FOREIGN KEY (org_id, reader_id) REFERENCES readers(org_id, id) ON DELETE CASCADE;
ALTER TABLE reader_minutes
  ADD CONSTRAINT reader_minutes_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE readers
  ADD CONSTRAINT readers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE readers
  ADD CONSTRAINT readers_org_id_location_id_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id);
ALTER TABLE refresh_tokens
  ADD CONSTRAINT refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE rejected_messages
  ADD CONSTRAINT rejected_messages_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE saved_views
  ADD CONSTRAINT saved_views_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE saved_views
  ADD CONSTRAINT saved_views_org_id_owner_id_fkey FOREIGN KEY (org_id, owner_id) REFERENCES memberships(org_id, user_id) ON DELETE CASCADE;
ALTER TABLE scan_submissions
  ADD CONSTRAINT scan_submissions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sessions
  ADD CONSTRAINT sessions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sessions
  ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sign_on_identities
  ADD CONSTRAINT sign_on_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE tags
  ADD CONSTRAINT tags_org_id_asset_id_fkey FOREIGN KEY (org_id, asset_id) REFERENCES assets(org_id, id);
ALTER TABLE tags
  ADD CONSTRAINT tags_org_id_location_id_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id);
ALTER TABLE unknown_tags
  ADD CONSTRAINT unknown_tags_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE webhook_attempts
  ADD CONSTRAINT webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON DELETE CASCADE;
ALTER TABLE webhook_deliveries
  ADD CONSTRAINT webhook_deliveries_org_id_endpoint_id_fkey FOREIGN KEY (org_id, endpoint_id) REFERENCES webhook_endpoints(org_id, id) ON DELETE CASCADE;
ALTER TABLE webhook_endpoints
  ADD CONSTRAINT webhook_endpoints_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
  --
-- PostgreSQL database dump complete
--

-- Functions of procedures and triggers

-- Trigger on `organizations`, after the insertion of a row. Adds the free ranges of a new organization: all slots, for
-- assets and for locations.
CREATE OR REPLACE FUNCTION add_free_key_slots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO free_key_slots (org_id, kind, first_slot, last_slot)
  VALUES (NEW.id, 'asset', 1, 999999999999999), (NEW.id, 'location', 1, 999999999999999);
  RETURN NULL;
END
$$;

-- Trigger on `alerts`, after each statement that opens, acknowledges or ends some. Notifies the processes that serve live
-- views of each organization concerned. Alerts that the app does not list are left out.
CREATE OR REPLACE FUNCTION announce_alerts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('whereabouts_alerts', o.org_id::text)
     FROM (SELECT DISTINCT c.org_id FROM changed_rows c WHERE c.in_app) o;
  RETURN NULL;
END
$$;

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

-- Returns metadata with the members of `given` set, and without those whose key is in `removed`. The order of the other
-- members and their text stay. A removed key that is also given is set.
CREATE OR REPLACE FUNCTION changed_metadata(metadata json, given json, removed text[]) RETURNS json LANGUAGE sql IMMUTABLE
  PARALLEL SAFE AS $$
  SELECT coalesce(('{' || string_agg(to_json(member.key) || ':' || member.value::text, ',' ORDER BY member.place) || '}')::json, '{}')
    FROM (
      SELECT m.key, coalesce(g.value, m.value) AS value, m.place
        FROM json_each($1) WITH ORDINALITY AS m (key, value, place)
        LEFT JOIN json_each($2) AS g ON g.key = m.key
       WHERE g.key IS NOT NULL OR NOT m.key = ANY($3)
      UNION ALL
      SELECT g.key, g.value, 1000000000 + g.place
        FROM json_each($2) WITH ORDINALITY AS g (key, value, place)
       WHERE NOT EXISTS (SELECT FROM json_each($1) AS m WHERE m.key = g.key)
    ) member
$$;

-- Trigger on `assets` and `locations`, before each row whose window is updated and that is flagged as expired. Clears the flag
-- if the window changes. Maintenance flags the row again if it has expired by then.
--
-- The asset is locked as if it was deleted. So its first position is either stored before, and counted with its new state, or
-- stored afterwards.
CREATE OR REPLACE FUNCTION clear_expired() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.valid_from, NEW.valid_to) IS DISTINCT FROM (OLD.valid_from, OLD.valid_to) THEN
    IF TG_TABLE_NAME = 'assets' THEN
      PERFORM FROM assets WHERE org_id = OLD.org_id AND id = OLD.id FOR UPDATE;
    END IF;
    NEW.is_expired := false;
  END IF;
  RETURN NEW;
END
$$;

-- Trigger on `tags`, after each insertion. Deletes the unknown tags that the new tags identify: as stored, in normal
-- form and in lower case. Rows that another transaction has locked are skipped. Ingestion locks such rows in another
-- order, so waiting for them could end in a deadlock.
--
-- Each lookup uses a key of `unknown_tags`, whatever the statistics of the table are. An import attaches tens of
-- thousands of tags in one statement, and the plan may have been made for a single tag.
CREATE OR REPLACE FUNCTION forget_known_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM new_rows) THEN
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
            WHERE t.org_id = n.org_id AND t.tag_type = n.tag_type AND t.value = way.value
           UNION ALL
           SELECT t.id
             FROM unknown_tags t
            WHERE t.org_id = n.org_id AND t.tag_type IS NULL AND t.value = way.value
           OFFSET 0
         ) m))
      ORDER BY u.id
        FOR UPDATE SKIP LOCKED);
  RETURN NULL;
END
$$;

-- Returns slots to the free ranges of a series and merges adjacent ranges. None of the slots may be free already. The
-- caller holds the lock of the key series.
CREATE OR REPLACE FUNCTION give_key_slots(owner int, series text, slots bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH given AS (
    SELECT DISTINCT unnest(slots) AS slot
  ), islands AS (
    SELECT min(slot) AS first_slot, max(slot) AS last_slot
      FROM (SELECT slot, slot - row_number() OVER (ORDER BY slot) AS island FROM given) numbered
     GROUP BY island
  ), touching AS (
    DELETE FROM free_key_slots f
     WHERE f.org_id = owner
       AND f.kind = series
       AND f.last_slot IN (
         SELECT first_slot - 1 FROM islands
         UNION ALL
         SELECT (SELECT min(g.last_slot) FROM free_key_slots g
                  WHERE g.org_id = owner AND g.kind = series AND g.last_slot > islands.last_slot)
           FROM islands)
    RETURNING f.first_slot, f.last_slot
  ), pieces AS (
    SELECT first_slot, last_slot FROM islands
    UNION ALL
    SELECT first_slot, last_slot FROM touching
  ), marked AS (
    SELECT first_slot, last_slot,
           (first_slot IS DISTINCT FROM lag(last_slot) OVER (ORDER BY first_slot) + 1)::int AS starts
      FROM pieces
  ), runs AS (
    SELECT first_slot, last_slot, sum(starts) OVER (ORDER BY first_slot) AS run FROM marked
  )
  INSERT INTO free_key_slots (org_id, kind, first_slot, last_slot)
  SELECT owner, series, min(first_slot), max(last_slot)
    FROM runs
   GROUP BY run;
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

-- Returns the slot number of a key such as `ASSET-0042`, or null if the key has another form. The number is at least 1
-- and has four to 15 digits. More than four digits have no leading zero.
CREATE OR REPLACE FUNCTION key_slot(prefix text, external_key text) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN CASE
    WHEN external_key ~ ('^' || prefix || '([0-9]{4}|[1-9][0-9]{4,14})$') AND external_key <> prefix || '0000'
    THEN substr(external_key, length(prefix) + 1)::bigint
  END;

-- Removes slots from the free ranges of a series: shortens, splits or deletes the ranges that contain them. Slots that
-- are not free are ignored. The caller holds the lock of the key series.
CREATE OR REPLACE FUNCTION take_key_slots(owner int, series text, slots bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(slots) = 1 THEN
    -- The usual case, the lowest slot of a range: the row's key stays, so the update is a cheap one.
    UPDATE free_key_slots
       SET first_slot = first_slot + 1
     WHERE org_id = owner
       AND kind = series
       AND last_slot = (SELECT min(last_slot) FROM free_key_slots
                         WHERE org_id = owner AND kind = series AND last_slot >= slots[1])
       AND first_slot = slots[1]
       AND last_slot > slots[1];
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  WITH taken AS (
    SELECT DISTINCT unnest(slots) AS slot
  ), hit AS (
    DELETE FROM free_key_slots f
     WHERE f.org_id = owner
       AND f.kind = series
       AND f.last_slot IN (
         SELECT (SELECT min(g.last_slot) FROM free_key_slots g
                  WHERE g.org_id = owner AND g.kind = series AND g.last_slot >= taken.slot)
           FROM taken)
    RETURNING f.first_slot, f.last_slot
  ), cuts AS (
    SELECT h.first_slot, h.last_slot, t.slot,
           lag(t.slot) OVER (PARTITION BY h.last_slot ORDER BY t.slot) AS previous,
           lead(t.slot) OVER (PARTITION BY h.last_slot ORDER BY t.slot) AS following
      FROM hit h
      LEFT JOIN taken t ON t.slot BETWEEN h.first_slot AND h.last_slot
  )
  INSERT INTO free_key_slots (org_id, kind, first_slot, last_slot)
  SELECT owner, series, coalesce(previous + 1, first_slot), coalesce(slot - 1, last_slot)
    FROM cuts
   WHERE coalesce(previous + 1, first_slot) <= coalesce(slot - 1, last_slot)
  UNION ALL
  SELECT owner, series, slot + 1, last_slot
    FROM cuts
   WHERE following IS NULL
     AND slot + 1 <= last_slot;
END
$$;

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

-- Returns the custom details of an asset that lists can be filtered by: the first 50 members of the object whose value is a
-- text, a number or a boolean, with keys of at most 100 characters. Values are cut to 200 characters.
CREATE OR REPLACE FUNCTION metadata_fields(metadata json) RETURNS TABLE (key text, value text) LANGUAGE sql IMMUTABLE
  PARALLEL SAFE ROWS 5 AS $$
  SELECT member.key, left(member.value #>> '{}', 200)
    FROM json_each(CASE WHEN json_typeof($1) = 'object' THEN $1 ELSE '{}' END) WITH ORDINALITY AS member (key, value, place)
   WHERE member.place <= 50
     AND json_typeof(member.value) IN ('string', 'number', 'boolean')
     AND char_length(member.key) BETWEEN 1 AND 100
$$;

-- Trigger on `assets`, after each statement. Keeps `metadata_values` equal to the custom details of the live assets. Old and
-- new rows are joined by hash: the plan is kept for the connection, and may come from a statement of one row.
CREATE OR REPLACE FUNCTION keep_metadata_values() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
DECLARE
  gone metadata_values%ROWTYPE;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO metadata_values (org_id, key, value, asset_id)
    SELECT n.org_id, f.key, f.value, n.id
      FROM new_rows n
     CROSS JOIN LATERAL metadata_fields(n.metadata) f
     WHERE n.deleted_at IS NULL AND n.metadata::text <> '{}'
    ON CONFLICT DO NOTHING;
  ELSIF TG_OP = 'DELETE' THEN
    FOR gone IN
      SELECT o.org_id, f.key, f.value, o.id
        FROM old_rows o
       CROSS JOIN LATERAL metadata_fields(o.metadata) f
       WHERE o.deleted_at IS NULL AND o.metadata::text <> '{}'
    LOOP
      DELETE FROM metadata_values v
       WHERE v.org_id = gone.org_id AND v.key = gone.key AND v.value = gone.value AND v.asset_id = gone.asset_id;
    END LOOP;
  ELSE
    FOR gone IN
      SELECT o.org_id, f.key, f.value, o.id
        FROM old_rows o
        JOIN new_rows n ON n.id = o.id
       CROSS JOIN LATERAL (
         SELECT w.key, w.value FROM metadata_fields(o.metadata) w
         EXCEPT
         SELECT w.key, w.value FROM metadata_fields(n.metadata) w WHERE n.deleted_at IS NULL
       ) f
       WHERE o.deleted_at IS NULL AND (n.deleted_at IS NOT NULL OR n.metadata::text <> o.metadata::text)
    LOOP
      DELETE FROM metadata_values v
       WHERE v.org_id = gone.org_id AND v.key = gone.key AND v.value = gone.value AND v.asset_id = gone.asset_id;
    END LOOP;
    INSERT INTO metadata_values (org_id, key, value, asset_id)
    SELECT n.org_id, f.key, f.value, n.id
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
     CROSS JOIN LATERAL metadata_fields(n.metadata) f
     WHERE n.deleted_at IS NULL AND (o.deleted_at IS NOT NULL OR n.metadata::text <> o.metadata::text)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `asset_positions` and `assets`, after each statement. Counts inserted and deleted positions in
-- `row_counts`, in shards as `keep_row_counts` does. A position counts as deleted while its asset is deleted, and as expired
-- while its asset is marked so. Old and new rows are grouped instead of joined: a join planned for one row would compare all
-- pairs of a bulk change.
--
-- Where counts of assets changed, their listings are updated as well (`hidden_by`). The listings are locked in the order of the
-- asset ids, as ingestion locks them, which prevents deadlocks.
CREATE OR REPLACE FUNCTION keep_position_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'assets' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT moved.org_id, 'position', true, moved.is_deleted, moved.is_expired, pg_backend_pid() % 16, sum(moved.change)
      FROM (SELECT changed.org_id, changed.id, side.is_deleted, side.is_expired, side.change
              FROM (SELECT org_id, id,
                           bool_or(is_new AND is_deleted) AS now_deleted, bool_or(NOT is_new AND is_deleted) AS was_deleted,
                           bool_or(is_new AND is_expired) AS now_expired, bool_or(NOT is_new AND is_expired) AS was_expired
                      FROM (SELECT org_id, id, true AS is_new, deleted_at IS NOT NULL AS is_deleted, is_expired FROM new_rows
                            UNION ALL
                            SELECT org_id, id, false, deleted_at IS NOT NULL, is_expired FROM old_rows) versions
                     GROUP BY org_id, id
                    HAVING bool_or(is_deleted) <> bool_and(is_deleted) OR bool_or(is_expired) <> bool_and(is_expired)) changed
             CROSS JOIN LATERAL (VALUES (now_deleted, now_expired, 1), (was_deleted, was_expired, -1))
                     AS side (is_deleted, is_expired, change)) moved
      JOIN asset_positions p ON p.org_id = moved.org_id AND p.asset_id = moved.id
     GROUP BY moved.org_id, moved.is_deleted, moved.is_expired
     ORDER BY 1, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
    IF FOUND THEN
      WITH held AS MATERIALIZED (
        SELECT l.asset_id, (n.deleted_at IS NOT NULL)::int + 2 * n.is_expired::int AS hidden_by
          FROM new_rows n
          JOIN position_listings l ON l.org_id = n.org_id AND l.asset_id = n.id
         WHERE l.hidden_by <> (n.deleted_at IS NOT NULL)::int + 2 * n.is_expired::int
         ORDER BY l.asset_id
           FOR NO KEY UPDATE OF l
      )
      UPDATE position_listings l SET hidden_by = h.hidden_by FROM held h WHERE l.asset_id = h.asset_id;
    END IF;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT p.org_id, 'position', true, a.deleted_at IS NOT NULL, a.is_expired, pg_backend_pid() % 16, count(*)
      FROM new_rows p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
     GROUP BY p.org_id, a.deleted_at IS NOT NULL, a.is_expired
     ORDER BY 1, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  ELSE
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT p.org_id, 'position', true, a.deleted_at IS NOT NULL, a.is_expired, pg_backend_pid() % 16, -count(*)
      FROM old_rows p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
     GROUP BY p.org_id, a.deleted_at IS NOT NULL, a.is_expired
     ORDER BY 1, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `assets` and `locations`, after each statement. Argument: the kind. Adds the changes of the statement to
-- `row_counts`, and one to `changes` of each row of it. Each count is spread over 16 shards by the process id of the
-- connection, so two writers of one organization seldom wait for each other. An import counts in a shard of its own, as it
-- commits late. Rows are updated in the order of their keys, which prevents deadlocks.
CREATE OR REPLACE FUNCTION keep_row_counts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_shard int := coalesce(nullif(current_setting('whereabouts.count_shard', true), '')::int, pg_backend_pid() % 16);
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT org_id, TG_ARGV[0], is_active, deleted_at IS NOT NULL, is_expired, own_shard, count(*)
      FROM new_rows
     GROUP BY org_id, is_active, deleted_at IS NOT NULL, is_expired
     ORDER BY 1, 3, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE
       SET n = row_counts.n + EXCLUDED.n, changes = row_counts.changes + 1;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT org_id, TG_ARGV[0], is_active, deleted_at IS NOT NULL, is_expired, own_shard, -count(*)
      FROM old_rows
     GROUP BY org_id, is_active, deleted_at IS NOT NULL, is_expired
     ORDER BY 1, 3, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE
       SET n = row_counts.n + EXCLUDED.n, changes = row_counts.changes + 1;
  ELSE
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT org_id, TG_ARGV[0], is_active, is_deleted, is_expired, own_shard, sum(change)
      FROM (SELECT org_id, is_active, deleted_at IS NOT NULL AS is_deleted, is_expired, 1 AS change FROM new_rows
            UNION ALL
            SELECT org_id, is_active, deleted_at IS NOT NULL, is_expired, -1 FROM old_rows) changes
     GROUP BY org_id, is_active, is_deleted, is_expired
    HAVING sum(change) <> 0
     ORDER BY 1, 3, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE
       SET n = row_counts.n + EXCLUDED.n, changes = row_counts.changes + 1;
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `position_listings`, after each statement. Keeps in `slot_counts` how many listings of an organization are in
-- each range of slots: `n` of assets that are shown, `n_deleted` of those that are hidden by their deletion alone. A connection
-- counts in rows of its own, so no transaction waits for another one; maintenance adds them up. Most updates leave every listing
-- in its range and write nothing.
CREATE OR REPLACE FUNCTION keep_slot_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO slot_counts (org_id, step, range_no, shard, n, n_deleted)
    SELECT c.org_id, s.step, c.seen_slot >> s.step, pg_backend_pid(), sum(c.shown), sum(c.deleted)
      FROM (SELECT org_id, seen_slot, (hidden_by = 0)::int AS shown, (hidden_by = 1)::int AS deleted FROM new_rows
            UNION ALL
            SELECT org_id, seen_slot, -(hidden_by = 0)::int, -(hidden_by = 1)::int FROM old_rows) c
     CROSS JOIN (VALUES (3), (12)) AS s (step)
     GROUP BY 1, 2, 3
    HAVING sum(c.shown) <> 0 OR sum(c.deleted) <> 0
    ON CONFLICT (org_id, step, range_no, shard)
    DO UPDATE SET n = slot_counts.n + EXCLUDED.n, n_deleted = slot_counts.n_deleted + EXCLUDED.n_deleted;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO slot_counts (org_id, step, range_no, shard, n, n_deleted)
    SELECT n.org_id, s.step, n.seen_slot >> s.step, pg_backend_pid(), sum((n.hidden_by = 0)::int), sum((n.hidden_by = 1)::int)
      FROM new_rows n CROSS JOIN (VALUES (3), (12)) AS s (step)
     WHERE n.hidden_by <= 1
     GROUP BY 1, 2, 3
    ON CONFLICT (org_id, step, range_no, shard)
    DO UPDATE SET n = slot_counts.n + EXCLUDED.n, n_deleted = slot_counts.n_deleted + EXCLUDED.n_deleted;
  ELSE
    INSERT INTO slot_counts (org_id, step, range_no, shard, n, n_deleted)
    SELECT o.org_id, s.step, o.seen_slot >> s.step, pg_backend_pid(), -sum((o.hidden_by = 0)::int), -sum((o.hidden_by = 1)::int)
      FROM old_rows o CROSS JOIN (VALUES (3), (12)) AS s (step)
     WHERE o.hidden_by <= 1
     GROUP BY 1, 2, 3
    ON CONFLICT (org_id, step, range_no, shard)
    DO UPDATE SET n = slot_counts.n + EXCLUDED.n, n_deleted = slot_counts.n_deleted + EXCLUDED.n_deleted;
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `webhook_deliveries`, after each statement. Keeps three columns of `webhook_endpoints`: `pending_count` and
-- `pending_bytes`, the deliveries of an endpoint that are not done and the bytes of their bodies, and `log_bytes`, the bytes of
-- the bodies and answers of all its deliveries. Endpoints are locked in the order of their ids, which prevents deadlocks.
CREATE OR REPLACE FUNCTION keep_webhook_backlogs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE webhook_endpoints w
       SET pending_count = w.pending_count + h.n, pending_bytes = w.pending_bytes + h.bytes, log_bytes = w.log_bytes + h.stored
      FROM (SELECT e.id, c.n, c.bytes, c.stored
              FROM (SELECT endpoint_id, count(*) FILTER (WHERE status = 'pending') AS n,
                           coalesce(sum(octet_length(body)) FILTER (WHERE status = 'pending'), 0) AS bytes,
                           sum(octet_length(body) + answer_bytes) AS stored
                      FROM new_rows GROUP BY endpoint_id) c
              JOIN webhook_endpoints e ON e.id = c.endpoint_id
             ORDER BY e.id
               FOR NO KEY UPDATE OF e) h
     WHERE w.id = h.id;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE webhook_endpoints w
       SET pending_count = w.pending_count - h.n, pending_bytes = w.pending_bytes - h.bytes, log_bytes = w.log_bytes - h.stored
      FROM (SELECT e.id, c.n, c.bytes, c.stored
              FROM (SELECT endpoint_id, count(*) FILTER (WHERE status = 'pending') AS n,
                           coalesce(sum(octet_length(body)) FILTER (WHERE status = 'pending'), 0) AS bytes,
                           sum(octet_length(body) + answer_bytes) AS stored
                      FROM old_rows GROUP BY endpoint_id) c
              JOIN webhook_endpoints e ON e.id = c.endpoint_id
             ORDER BY e.id
               FOR NO KEY UPDATE OF e) h
     WHERE w.id = h.id;
  ELSE
    UPDATE webhook_endpoints w
       SET pending_count = w.pending_count + h.n, pending_bytes = w.pending_bytes + h.bytes, log_bytes = w.log_bytes + h.stored
      FROM (SELECT e.id, c.n, c.bytes, c.stored
              FROM (SELECT endpoint_id, coalesce(sum(change) FILTER (WHERE status = 'pending'), 0) AS n,
                           coalesce(sum(change * octet_length(body)) FILTER (WHERE status = 'pending'), 0) AS bytes,
                           sum(change * (octet_length(body) + answer_bytes)) AS stored
                      FROM (SELECT endpoint_id, status, body, answer_bytes, 1 AS change FROM new_rows
                            UNION ALL
                            SELECT endpoint_id, status, body, answer_bytes, -1 FROM old_rows) changes
                     GROUP BY endpoint_id) c
              JOIN webhook_endpoints e ON e.id = c.endpoint_id
             WHERE c.n <> 0 OR c.stored <> 0
             ORDER BY e.id
               FOR NO KEY UPDATE OF e) h
     WHERE w.id = h.id;
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `asset_positions`, after each insertion. Inserts the listing of every new position. Its slot is the time at
-- which the asset was last seen, in steps of ten seconds, and `slot_ms` the milliseconds after that. Rows are inserted in the
-- order of the asset ids, which prevents deadlocks.
CREATE OR REPLACE FUNCTION list_new_positions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO position_listings (org_id, asset_id, location_id, located_since, seen_slot, slot_ms, reader_id, hidden_by)
  SELECT n.org_id, n.asset_id, n.location_id, n.located_since, t.slot,
         CASE WHEN n.is_listed_exactly THEN (date_part('epoch', n.asset_last_seen) * 1000)::int8 - t.slot::int8 * 10000 ELSE 10000 END,
         n.reader_id, (a.deleted_at IS NOT NULL)::int + 2 * a.is_expired::int
    FROM new_rows n
    JOIN assets a ON a.org_id = n.org_id AND a.id = n.asset_id
   CROSS JOIN LATERAL (SELECT floor(date_part('epoch', n.asset_last_seen) / 10)::int AS slot) t
   ORDER BY n.asset_id;
  RETURN NULL;
END
$$;

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

-- Returns the name of a location with its key, such as `Aisle A (LOC-0001)`, or null without a location.
CREATE OR REPLACE FUNCTION location_of_activity(org_id int, location_id int) RETURNS text LANGUAGE sql STABLE STRICT AS $$
  SELECT l.name || ' (' || l.external_key || ')' FROM locations l WHERE l.org_id = $1 AND l.id = $2
$$;

-- Trigger on `assets` and `locations`, before a row is inserted or its key or deletion changes. Arguments: the class of
-- the advisory lock and the prefix of the keys. Locks the key series of the organization until the end of the
-- transaction if the old or the new key occupies a slot.
--
-- The lock is taken before the row reaches the unique index. `mint_key` takes the same lock first, so the two cannot
-- deadlock. An import has reserved its slots before (`server/imports/key-reservations.ts`), and locks nothing here.
CREATE OR REPLACE FUNCTION lock_key_slots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('whereabouts.keys_reserved', true) = 'on' THEN
    RETURN NEW;
  END IF;
  IF key_slot(TG_ARGV[1], NEW.external_key) IS NOT NULL
     OR (TG_OP = 'UPDATE' AND key_slot(TG_ARGV[1], OLD.external_key) IS NOT NULL) THEN
    PERFORM pg_advisory_xact_lock(TG_ARGV[0]::int, NEW.org_id);
  END IF;
  RETURN NEW;
END
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

-- Returns the lowest free key of a series, `asset` or `location`, and locks the series until the end of the
-- transaction. Does not take the slot: the triggers of the table do when the row is inserted.
--
-- The function must stay volatile: then its second statement has a newer snapshot, which contains what the previous
-- holder of the lock committed. A create is one statement because of that.
CREATE OR REPLACE FUNCTION mint_key(owner int, series text) RETURNS text VOLATILE LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(CASE series WHEN 'asset' THEN 1 WHEN 'location' THEN 2 END, owner);
  RETURN (
    SELECT CASE series WHEN 'asset' THEN 'ASSET-' WHEN 'location' THEN 'LOC-' END
           || lpad(first_slot::text, greatest(4, length(first_slot::text)), '0')
      FROM free_key_slots
     WHERE org_id = owner
       AND kind = series
     ORDER BY last_slot
     LIMIT 1);
END
$$;

-- Trigger on `assets`, after each row whose key was changed. Adds one to `changes` of the organization's counts, as the order of
-- its assets is another one.
CREATE OR REPLACE FUNCTION note_new_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
  VALUES (NEW.org_id, 'asset', NEW.is_active, NEW.deleted_at IS NOT NULL, NEW.is_expired, pg_backend_pid() % 16, 0)
  ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET changes = row_counts.changes + 1;
  RETURN NULL;
END
$$;

-- Returns whether an organization is being moved to another cell, or has been: nothing of it is accepted here then. While it is
-- `leaving`, the process that moves it holds its advisory lock. A process that dies loses the lock, and the organization works
-- here again.
CREATE OR REPLACE FUNCTION organization_is_moving(organization int) RETURNS boolean LANGUAGE sql VOLATILE
  RETURN EXISTS (SELECT FROM organizations o
                  WHERE o.id = organization
                    AND (o.moving = 'left'
                         OR o.moving = 'leaving' AND NOT pg_try_advisory_xact_lock_shared(42, o.id)));

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

-- Trigger on `scan_events`, after each insertion. Rejects events whose asset or location does not exist in the same
-- organization, with the error of a foreign key.
--
-- A foreign key would look up every row; this function looks up each asset and each location of a statement once.
-- `LIMIT` and the sums make the planner use the primary keys, which begin with the id: without statistics, as in a new
-- database, it would take any index that begins with the organization for as good.
CREATE OR REPLACE FUNCTION refuse_foreign_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT org_id, asset_id FROM new_rows) e
      LEFT JOIN LATERAL (SELECT a.id FROM assets a WHERE a.id = e.asset_id AND a.org_id + 0 = e.org_id LIMIT 1) a ON true
     WHERE a.id IS NULL
  ) OR EXISTS (
    SELECT FROM (SELECT DISTINCT org_id, location_id FROM new_rows WHERE location_id IS NOT NULL) e
      LEFT JOIN LATERAL (SELECT l.id FROM locations l WHERE l.id = e.location_id AND l.org_id + 0 = e.org_id LIMIT 1) l ON true
     WHERE l.id IS NULL
  ) THEN
    RAISE EXCEPTION 'scan event refers to a row of no or another organization'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on the tables of an organization that is being moved, after each row of it. The argument is the id of the
-- organization. The triggers are created by the move and not by migrations: other organizations never pay for them. The error
-- is that of a lock, so a request is repeated and then answered with 503. Maintenance does nothing that it would not do in the
-- other cell as well.
CREATE OR REPLACE FUNCTION refuse_while_moving() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('application_name') = 'whereabouts maintenance' THEN
    RETURN NULL;
  END IF;
  IF TG_TABLE_NAME = 'refresh_tokens' THEN
    IF NOT EXISTS (SELECT FROM sessions s WHERE s.id = NEW.session_id AND s.org_id = TG_ARGV[0]::int) THEN
      RETURN NULL;
    END IF;
  END IF;
  IF organization_is_moving(TG_ARGV[0]::int) THEN
    RAISE EXCEPTION 'organization % is being moved', TG_ARGV[0] USING ERRCODE = 'lock_not_available';
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `locations`, after a row is marked as deleted. Deletes the floor plan of the location with its image, and the
-- outlines and pins of the location on other plans.
CREATE OR REPLACE FUNCTION remove_floor_plans() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  image INTEGER;
BEGIN
  DELETE FROM floor_plan_shapes WHERE org_id = NEW.org_id AND location_id = NEW.id;
  DELETE FROM floor_plans WHERE org_id = NEW.org_id AND location_id = NEW.id RETURNING image_id INTO image;
  DELETE FROM images WHERE org_id = NEW.org_id AND id = image;
  RETURN NULL;
END
$$;

-- Trigger on `readers`, after a row is marked as deleted. Deletes the pins of the reader on floor plans.
CREATE OR REPLACE FUNCTION remove_reader_pins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM floor_plan_shapes WHERE org_id = NEW.org_id AND reader_id = NEW.id;
  RETURN NULL;
END
$$;

-- Returns the query for `search_grams` that finds every text which contains the given one. Both texts are folded by
-- `fold_case`. For up to four characters the result is exact. For more it also finds texts that have its sequences of four
-- characters in other places, so the caller compares them. The sequences follow each other, and the last one ends with the
-- text; of a long text about 16 are used. Overlapping sequences would exclude few further texts, and each costs a lookup.
CREATE OR REPLACE FUNCTION search_query(org_id int, folded text) RETURNS tsquery
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  last int := char_length(folded) - 3;
  -- In a tsquery quotes and backslashes are doubled.
  prefix text := '''' || org_id || ':';
  result tsquery;
BEGIN
  IF last < 1 THEN
    RETURN (prefix || replace(replace(folded, '\', '\\'), '''', '''''') || ''':*')::tsquery;
  END IF;
  result := (prefix || replace(replace(substr(folded, last, 4), '\', '\\'), '''', '''''') || '''')::tsquery;
  FOR i IN 1..last - 1 BY greatest(4, last / 15) LOOP
    result := (prefix || replace(replace(substr(folded, i, 4), '\', '\\'), '''', '''''') || '''')::tsquery && result;
  END LOOP;
  RETURN result;
END
$$;

-- Triggers

CREATE TRIGGER add_free_key_slots AFTER INSERT ON organizations FOR EACH ROW EXECUTE FUNCTION add_free_key_slots();
CREATE TRIGGER alerts_announce_changed AFTER UPDATE ON alerts REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION announce_alerts();
CREATE TRIGGER alerts_announce_opened AFTER INSERT ON alerts REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION announce_alerts();
CREATE TRIGGER clear_expired BEFORE UPDATE OF valid_from, valid_to ON assets FOR EACH ROW WHEN (old.is_expired) EXECUTE FUNCTION clear_expired();
CREATE TRIGGER clear_expired BEFORE UPDATE OF valid_from, valid_to ON locations FOR EACH ROW WHEN (old.is_expired) EXECUTE FUNCTION clear_expired();
CREATE TRIGGER forget_known_tags AFTER INSERT ON tags REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_known_tags();
CREATE TRIGGER keep_event_interests AFTER INSERT OR DELETE OR UPDATE OF is_enabled, event_type ON alert_rules FOR EACH ROW EXECUTE FUNCTION keep_event_interests();
CREATE TRIGGER keep_event_interests AFTER INSERT OR DELETE OR UPDATE OF is_enabled, event_types ON webhook_endpoints FOR EACH ROW EXECUTE FUNCTION keep_event_interests();
CREATE TRIGGER keep_key_slots_delete AFTER DELETE ON assets REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_key_slots('asset', 'ASSET-');
CREATE TRIGGER keep_key_slots_delete AFTER DELETE ON locations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_key_slots('location', 'LOC-');
CREATE TRIGGER keep_key_slots_insert AFTER INSERT ON assets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_key_slots('asset', 'ASSET-');
CREATE TRIGGER keep_key_slots_insert AFTER INSERT ON locations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_key_slots('location', 'LOC-');
CREATE TRIGGER keep_key_slots_update AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_key_slots('asset', 'ASSET-');
CREATE TRIGGER keep_key_slots_update AFTER UPDATE ON locations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_key_slots('location', 'LOC-');
CREATE TRIGGER keep_metadata_values_delete AFTER DELETE ON assets REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_metadata_values();
CREATE TRIGGER keep_metadata_values_insert AFTER INSERT ON assets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_metadata_values();
CREATE TRIGGER keep_metadata_values_update AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_metadata_values();
CREATE TRIGGER keep_position_counts_delete AFTER DELETE ON asset_positions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_position_counts();
CREATE TRIGGER keep_position_counts_insert AFTER INSERT ON asset_positions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_position_counts();
CREATE TRIGGER keep_position_counts_update AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_position_counts();
CREATE TRIGGER keep_row_counts_delete AFTER DELETE ON assets REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('asset');
CREATE TRIGGER keep_row_counts_delete AFTER DELETE ON locations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('location');
CREATE TRIGGER keep_row_counts_insert AFTER INSERT ON assets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('asset');
CREATE TRIGGER keep_row_counts_insert AFTER INSERT ON locations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('location');
CREATE TRIGGER keep_row_counts_update AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('asset');
CREATE TRIGGER keep_row_counts_update AFTER UPDATE ON locations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('location');
CREATE TRIGGER keep_slot_counts_delete AFTER DELETE ON position_listings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_slot_counts();
CREATE TRIGGER keep_slot_counts_insert AFTER INSERT ON position_listings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_slot_counts();
CREATE TRIGGER keep_slot_counts_update AFTER UPDATE ON position_listings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_slot_counts();
CREATE TRIGGER keep_webhook_backlogs_delete AFTER DELETE ON webhook_deliveries REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_webhook_backlogs();
CREATE TRIGGER keep_webhook_backlogs_insert AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_webhook_backlogs();
CREATE TRIGGER keep_webhook_backlogs_update AFTER UPDATE ON webhook_deliveries REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_webhook_backlogs();
CREATE TRIGGER list_new_positions AFTER INSERT ON asset_positions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION list_new_positions();
CREATE TRIGGER lock_key_slots_insert BEFORE INSERT ON assets FOR EACH ROW EXECUTE FUNCTION lock_key_slots('1', 'ASSET-');
CREATE TRIGGER lock_key_slots_insert BEFORE INSERT ON locations FOR EACH ROW EXECUTE FUNCTION lock_key_slots('2', 'LOC-');
CREATE TRIGGER lock_key_slots_update BEFORE UPDATE OF external_key, deleted_at ON assets FOR EACH ROW EXECUTE FUNCTION lock_key_slots('1', 'ASSET-');
CREATE TRIGGER lock_key_slots_update BEFORE UPDATE OF external_key, deleted_at ON locations FOR EACH ROW EXECUTE FUNCTION lock_key_slots('2', 'LOC-');
CREATE TRIGGER log_changes_delete AFTER DELETE ON tags REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION log_tag_changes();
CREATE TRIGGER log_changes_insert AFTER INSERT ON assets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_asset_changes();
CREATE TRIGGER log_changes_insert AFTER INSERT ON locations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_location_changes();
CREATE TRIGGER log_changes_insert AFTER INSERT ON tags REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION log_tag_changes();
CREATE TRIGGER log_changes_update AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_asset_changes();
CREATE TRIGGER log_changes_update AFTER UPDATE ON locations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_location_changes();
CREATE TRIGGER note_new_keys AFTER UPDATE OF external_key ON assets FOR EACH ROW WHEN ((old.external_key <> new.external_key)) EXECUTE FUNCTION note_new_keys();
CREATE TRIGGER record_attached_tags AFTER INSERT ON tags REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_tag_events();
CREATE TRIGGER record_changed_assets AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_asset_events();
CREATE TRIGGER record_changed_locations AFTER UPDATE ON locations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_location_events();
CREATE TRIGGER record_created_assets AFTER INSERT ON assets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_asset_events();
CREATE TRIGGER record_created_locations AFTER INSERT ON locations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_location_events();
CREATE TRIGGER record_detached_tags AFTER DELETE ON tags REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_tag_events();
CREATE TRIGGER refuse_foreign_events AFTER INSERT ON scan_events REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION refuse_foreign_events();
CREATE TRIGGER remove_floor_plans AFTER UPDATE OF deleted_at ON locations FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION remove_floor_plans();
CREATE TRIGGER remove_reader_pins AFTER UPDATE OF deleted_at ON readers FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION remove_reader_pins();
