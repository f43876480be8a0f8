-- Locks: none. It runs on a database without tables.
--
-- The whole schema as of the first release: extensions, functions that indexes use, tables with their indexes, foreign keys,
-- all other functions, triggers. schema.prisma describes the tables as far as Prisma's language can.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE COLLATION natural_order (provider = icu, locale = 'und-u-kn-true');

-- Functions that indexes and checks use

-- Returns a text in the form in which search compares texts: texts that look alike are equal. Case is folded by the rules of
-- Unicode, whatever the locale of the database is. A letter with a separate accent, as macOS writes file names, becomes one
-- character; ligatures, letters of full width and special spaces become the ordinary characters (NFKC). The final
-- form of the Greek letter sigma becomes the ordinary form, ß becomes ss, and the Turkish letters İ and ı become i. Invisible
-- characters are removed. `foldText` in `server/kernel/fold-text.ts` does the same; a test compares them.
--
-- The indexes of `search_grams` hold results of this function. A migration that changes them must rebuild these indexes.
--
-- A text of ASCII characters alone is folded without ICU, with the same result in a quarter of the time.
CREATE OR REPLACE FUNCTION fold_case(text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN CASE
    WHEN octet_length($1) = char_length($1) THEN lower($1 COLLATE "C")
    ELSE translate(
      replace(
        replace(
          lower(
            normalize(
              translate(
                $1,
                E'\u00AD\u034F\u061C\u200B\u200C\u200D\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2060\u2066\u2067\u2068\u2069\uFE0E\uFE0F\uFEFF',
                ''
              ),
              NFKC
            ) COLLATE "und-x-icu"
          ), 'ß', 'ss'
        ), E'i\u0307', 'i'
      ), 'ςı', 'σi'
    ) COLLATE "C"
  END;

-- Returns the 14-digit GTIN of an article, so that its barcodes with 8, 12, 13 and 14 digits are equal: EAN-8, UPC-A,
-- EAN-13 and GTIN-14. Any other number, or a number with a wrong check digit, is returned unchanged.
-- `server/things/tags/gtin.ts` does the same.
CREATE OR REPLACE FUNCTION gtin_form(value text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN CASE
    WHEN ($1 COLLATE "C") !~ '^([0-9]{8}|[0-9]{12,14})$' THEN $1
    WHEN (SELECT sum(substr(lpad($1, 14, '0'), place, 1)::int * CASE WHEN place % 2 = 1 THEN 3 ELSE 1 END) % 10
            FROM generate_series(1, 14) AS place) = 0 THEN lpad($1, 14, '0')
    ELSE $1
  END;

-- Returns the sequences of four characters in a folded text, one from each position, for an index that finds
-- substrings. At the end of the text they are shorter. Each begins with the id of the organization, so that a search
-- reads the entries of one organization only. A sequence that begins with a control character is omitted, because no
-- search can contain control characters.
--
-- A text of up to four characters is a substring if and only if a sequence begins with it. `search_query` makes the
-- query.
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

-- Returns the text in which a search for an asset or a location looks: name, key and description, folded as `fold_case`
-- does. The unit separator (U+001F) is between the three fields. No field can contain it, so no match spans two fields.
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
    ELSE fold_case(name || E'\x1f' || external_key || E'\x1f' || coalesce(description, ''))
  END;

-- Returns the normal form of a tag value, which is compared if a read equals no stored value: upper case and, for
-- identifiers of RFID and BLE tags, without `0x` and the separators between bytes. Other dashes and colons stay, since
-- values that differ only in their positions are different tags, such as beacons with the major and minor 1-11 and
-- 11-1. All barcodes of an article have the same form, however many digits they have (`gtin_form`).
-- `server/things/tags/normal-form.ts` does the same.
--
-- The index `tags_live_normal_form` holds results of this function. A migration that changes them must rebuild that
-- index.
CREATE OR REPLACE FUNCTION tag_normal_form(tag_type text, value text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN upper(CASE
    WHEN $1 = 'barcode' THEN gtin_form($2)
    WHEN ($2 COLLATE "C") ~ '^[0-9A-Fa-f]+$' THEN $2
    WHEN ($2 COLLATE "C") ~* '^(0x)?[0-9a-f]{2}([ :-])(0x)?[0-9a-f]{2}(\2(0x)?[0-9a-f]{2})+$'
         OR ($2 COLLATE "C") ~* '^(0x)?[0-9a-f]{4}([ :-][0-9a-f]{4})+$'
         OR ($2 COLLATE "C") ~* '^0x[0-9a-f]+$'
      THEN regexp_replace($2 COLLATE "C", '0x|[ :-]', '', 'gi')
    WHEN $1 = 'ble' AND ($2 COLLATE "C") ~* '^([ :.-]?[0-9a-f]){12}$' THEN translate($2, ' :.-', '')
    ELSE regexp_replace($2 COLLATE "C",
           '^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})(?=$|-[0-9]+-[0-9]+$)',
           '\1\2\3\4\5', 'i')
  END COLLATE "C");

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
  batch_id uuid,
  CONSTRAINT activity_log_pkey PRIMARY KEY (org_id, occurred_at, id)
)
PARTITION BY RANGE (occurred_at);
CREATE INDEX activity_log_batch ON activity_log (org_id, batch_id, occurred_at, id) WHERE (batch_id IS NOT NULL);
CREATE INDEX activity_log_object ON activity_log (org_id, kind, object_id, occurred_at, id);

CREATE TABLE activity_log_default PARTITION OF activity_log DEFAULT;

CREATE TABLE alert_emails (
  id BIGSERIAL,
  org_id integer NOT NULL,
  user_id integer NOT NULL,
  alert_id bigint NOT NULL,
  due_at timestamptz(3) NOT NULL,
  by_push boolean NOT NULL DEFAULT false,
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
  email_mode text NOT NULL DEFAULT 'each'::text,
  endpoint_ids integer[] NOT NULL DEFAULT '{}'::integer[],
  checked_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  rechecked_until timestamptz(3),
  deleted_at timestamptz(3),
  was_enabled boolean,
  CONSTRAINT alert_rules_email_mode_check CHECK ((email_mode = ANY (ARRAY['each'::text, 'hourly'::text, 'daily'::text]))),
  CONSTRAINT alert_rules_pkey PRIMARY KEY (id),
  CONSTRAINT alert_rules_org_id_id_key UNIQUE (org_id, id)
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

CREATE TABLE asset_containments (
  id SERIAL,
  org_id integer NOT NULL,
  asset_id integer NOT NULL,
  container_id integer NOT NULL,
  since timestamptz(3) NOT NULL,
  put_in_by integer,
  until timestamptz(3),
  ended_by text COLLATE "C",
  taken_out_by integer,
  CONSTRAINT asset_containments_end CHECK (((until IS NULL) = (ended_by IS NULL))),
  CONSTRAINT asset_containments_ended_by CHECK ((ended_by = ANY (ARRAY['person'::text, 'reads'::text, 'deletion'::text]))),
  CONSTRAINT asset_containments_not_in_itself CHECK ((asset_id <> container_id)),
  CONSTRAINT asset_containments_pkey PRIMARY KEY (id)
);
CREATE INDEX asset_containments_contents ON asset_containments (org_id, container_id, asset_id) WHERE (until IS NULL);
CREATE INDEX asset_containments_of_asset ON asset_containments (org_id, asset_id, since DESC);
CREATE INDEX asset_containments_of_container ON asset_containments (org_id, container_id, since);
CREATE UNIQUE INDEX asset_containments_open ON asset_containments (org_id, asset_id) WHERE (until IS NULL);
CREATE INDEX asset_containments_put_in_by ON asset_containments (put_in_by);
CREATE INDEX asset_containments_taken_out_by ON asset_containments (taken_out_by);

CREATE TABLE asset_kinds (
  id SERIAL,
  org_id integer NOT NULL,
  name text COLLATE "C" NOT NULL,
  icon text COLLATE "C" NOT NULL,
  color text COLLATE "C" NOT NULL,
  image_id integer,
  updated_at timestamptz(3) NOT NULL,
  holds_assets boolean NOT NULL DEFAULT false,
  CONSTRAINT asset_kinds_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX asset_kinds_image ON asset_kinds (org_id, image_id);
CREATE UNIQUE INDEX asset_kinds_name ON asset_kinds (org_id, fold_case(name));
CREATE UNIQUE INDEX asset_kinds_org_id_id_key ON asset_kinds (org_id, id);

CREATE TABLE asset_photos (
  org_id integer NOT NULL,
  asset_id integer NOT NULL,
  image_id integer NOT NULL,
  added_at timestamptz(3) NOT NULL,
  CONSTRAINT asset_photos_pkey PRIMARY KEY (org_id, asset_id, image_id),
  CONSTRAINT asset_photos_image UNIQUE (org_id, image_id)
);

CREATE TABLE asset_placements (
  org_id integer NOT NULL,
  asset_id integer NOT NULL,
  placed_at timestamptz(3) NOT NULL,
  seen_before timestamptz(3),
  placed_by integer,
  file_name text COLLATE "C",
  container_id integer,
  with_contents boolean NOT NULL DEFAULT false,
  CONSTRAINT asset_placements_pkey PRIMARY KEY (org_id, asset_id, placed_at)
);
CREATE INDEX asset_placements_placed_at ON asset_placements (org_id, placed_at);
CREATE INDEX asset_placements_placed_by ON asset_placements (placed_by);
CREATE INDEX asset_placements_seen_before ON asset_placements (org_id, seen_before);

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
  locating text COLLATE "C" NOT NULL DEFAULT ''::text,
  hidden_by smallint NOT NULL DEFAULT 0,
  listed_at timestamptz(3) NOT NULL DEFAULT now(),
  belongs_to_id integer,
  CONSTRAINT asset_positions_pkey PRIMARY KEY (org_id, asset_id)
)
WITH (fillfactor='50');
COMMENT ON COLUMN asset_positions.last_event_at IS 'Time of the newest event; null: not known here, ask the events';
CREATE INDEX asset_positions_belongs_to ON asset_positions (org_id, belongs_to_id, location_id, asset_id) WHERE ((belongs_to_id IS NOT NULL) AND (location_id IS NOT NULL) AND (hidden_by = ANY (ARRAY[0, 2])));
CREATE INDEX asset_positions_listed ON asset_positions (org_id, hidden_by, listed_at DESC, asset_id);
CREATE INDEX asset_positions_located_since ON asset_positions (org_id, located_since, hidden_by);
CREATE INDEX asset_positions_location ON asset_positions (org_id, location_id, hidden_by, asset_id);

CREATE TABLE asset_problems (
  id SERIAL,
  org_id integer NOT NULL,
  asset_id integer NOT NULL,
  text text COLLATE "C" NOT NULL,
  reported_at timestamptz(3) NOT NULL,
  reported_by integer,
  resolved_at timestamptz(3),
  CONSTRAINT asset_problems_pkey PRIMARY KEY (id)
);
CREATE INDEX asset_problems_asset ON asset_problems (org_id, asset_id);
CREATE INDEX asset_problems_reported_by ON asset_problems (reported_by);

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
CREATE INDEX asset_visits_open_of_asset ON asset_visits (org_id, asset_id) WHERE (left_at IS NULL);

CREATE TABLE assets (
  id SERIAL,
  org_id integer NOT NULL,
  external_key text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  is_active boolean NOT NULL DEFAULT true,
  metadata json NOT NULL DEFAULT '{}'::json,
  valid_from timestamptz(3) NOT NULL,
  valid_to timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  is_expired boolean NOT NULL DEFAULT false,
  kind_id integer,
  belongs_to_id integer,
  CONSTRAINT assets_external_key_check CHECK ((external_key ~ '^[A-Za-z0-9-]{1,255}$'::text)),
  CONSTRAINT assets_metadata_check CHECK ((json_typeof(metadata) = 'object'::text)),
  CONSTRAINT assets_pkey PRIMARY KEY (id)
);
COMMENT ON COLUMN assets.is_expired IS 'valid_to has passed; set by maintenance, so it may be false for some time after that';
CREATE INDEX assets_belongs_to ON assets (org_id, belongs_to_id, id) WHERE ((belongs_to_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX assets_deleted_grams ON assets USING gin (search_grams(org_id, search_text(name, external_key, description))) WITH (gin_pending_list_limit='1024') WHERE (deleted_at IS NOT NULL);
ALTER INDEX assets_deleted_grams ALTER COLUMN 1 SET STATISTICS 0;
CREATE INDEX assets_expired ON assets (org_id, id) INCLUDE (deleted_at) WHERE is_expired;
CREATE INDEX assets_external_key ON assets (org_id, external_key, id);
CREATE INDEX assets_kind ON assets (org_id, kind_id, id) WHERE (kind_id IS NOT NULL);
CREATE INDEX assets_live_created_at ON assets (org_id, created_at, id) INCLUDE (is_active, valid_from, valid_to) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX assets_live_external_key ON assets (org_id, external_key) INCLUDE (id, is_active, valid_from, valid_to) WHERE (deleted_at IS NULL);
CREATE INDEX assets_live_grams ON assets USING gin (search_grams(org_id, search_text(name, external_key, description))) WITH (gin_pending_list_limit='1024') WHERE (deleted_at IS NULL);
ALTER INDEX assets_live_grams ALTER COLUMN 1 SET STATISTICS 0;
CREATE INDEX assets_live_key_order ON assets (org_id, external_key COLLATE natural_order) INCLUDE (id, is_active, valid_from, valid_to) WHERE (deleted_at IS NULL);
CREATE INDEX assets_live_name ON assets (org_id, name, id) INCLUDE (is_active, valid_from, valid_to) WHERE (deleted_at IS NULL);
CREATE INDEX assets_live_name_order ON assets (org_id, name COLLATE natural_order, id) INCLUDE (is_active, valid_from, valid_to) WHERE (deleted_at IS NULL);
CREATE INDEX assets_live_updated_at ON assets (org_id, updated_at, id) INCLUDE (is_active, valid_from, valid_to) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX assets_org_id_id_key ON assets (org_id, id);
CREATE INDEX assets_shown_order ON assets (org_id, external_key) WHERE ((deleted_at IS NULL) AND (NOT is_expired));
CREATE INDEX assets_trash ON assets (org_id, deleted_at, id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX assets_unexpired ON assets (org_id, valid_to) INCLUDE (id, external_key, is_active, valid_from, deleted_at) WHERE ((valid_to IS NOT NULL) AND (NOT is_expired));
CREATE INDEX assets_valid_from ON assets (org_id, valid_from);

CREATE TABLE audit_items (
  org_id integer NOT NULL,
  audit_id text COLLATE "C" NOT NULL,
  position integer NOT NULL,
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

CREATE TABLE change_batches (
  org_id integer NOT NULL,
  id uuid NOT NULL,
  kind text COLLATE "C" NOT NULL,
  object_kind text COLLATE "C" NOT NULL,
  fields text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  count integer NOT NULL,
  entry_id bigint NOT NULL,
  undone_at timestamptz(3),
  CONSTRAINT change_batches_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX change_batches_created_at ON change_batches (created_at);

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

CREATE TABLE former_members (
  org_id integer NOT NULL,
  user_id integer NOT NULL,
  removed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT former_members_pkey PRIMARY KEY (org_id, user_id)
);

CREATE TABLE freed_keys (
  org_id integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  lease_token uuid,
  CONSTRAINT freed_keys_pkey PRIMARY KEY (org_id, kind, slot)
);
CREATE INDEX freed_keys_free ON freed_keys (org_id, kind, slot) WHERE (lease_token IS NULL);

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
  detached_at timestamptz(3),
  CONSTRAINT images_pkey PRIMARY KEY (id),
  CONSTRAINT images_org_id_id_key UNIQUE (org_id, id)
);
ALTER TABLE images ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE images ALTER COLUMN thumbnail SET STORAGE EXTERNAL;
CREATE INDEX images_without_owner ON images (created_at) WHERE (NOT is_attached);

CREATE TABLE import_problems (
  import_id uuid NOT NULL,
  place integer NOT NULL,
  org_id integer NOT NULL,
  line integer NOT NULL,
  column_name text COLLATE "C" NOT NULL,
  message text COLLATE "C" NOT NULL,
  is_warning boolean NOT NULL DEFAULT false,
  is_notice boolean NOT NULL DEFAULT false,
  reason json,
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
  ignored_columns text[] NOT NULL DEFAULT '{}'::text[],
  warning_count integer,
  notice_count integer NOT NULL DEFAULT 0,
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
  mail_token_hash text COLLATE "C",
  CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'manager'::text, 'admin'::text]))),
  CONSTRAINT invitations_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX invitations_mail_token_hash_key ON invitations (mail_token_hash);
CREATE INDEX invitations_org_id_created_at_idx ON invitations (org_id, created_at);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);

CREATE TABLE job_processes (
  id uuid NOT NULL,
  worker_ids text[] NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  CONSTRAINT job_processes_pkey PRIMARY KEY (id)
);

CREATE TABLE key_hints (
  org_id integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  next_slot bigint NOT NULL DEFAULT 1,
  CONSTRAINT key_hints_pkey PRIMARY KEY (org_id, kind)
)
WITH (fillfactor='50');

CREATE TABLE location_checks (
  org_id integer NOT NULL,
  day date NOT NULL,
  location_id integer NOT NULL,
  shown_location_id integer NOT NULL,
  checks integer NOT NULL,
  CONSTRAINT location_checks_pkey PRIMARY KEY (org_id, day, location_id, shown_location_id)
);

CREATE TABLE location_pictures (
  org_id integer NOT NULL,
  location_id integer NOT NULL,
  visits real NOT NULL,
  antennas jsonb NOT NULL,
  reset_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT location_pictures_pkey PRIMARY KEY (location_id)
);
CREATE INDEX location_pictures_org ON location_pictures (org_id, location_id);

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
  assets_free boolean,
  CONSTRAINT locations_external_key_check CHECK ((external_key ~ '^[A-Za-z0-9-]{1,255}$'::text)),
  CONSTRAINT locations_parent_check CHECK ((parent_id <> id)),
  CONSTRAINT locations_pkey PRIMARY KEY (id)
);
COMMENT ON COLUMN locations.is_expired IS 'valid_to has passed; set by maintenance, so it may be false for some time after that';
CREATE INDEX locations_assets_free ON locations (org_id, id) WHERE assets_free;
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
CREATE INDEX locations_trash ON locations (org_id, deleted_at, id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX locations_unexpired ON locations (org_id, valid_to) INCLUDE (is_active, valid_from, deleted_at) WHERE ((valid_to IS NOT NULL) AND (NOT is_expired));
CREATE INDEX locations_valid_from ON locations (org_id, valid_from);

CREATE TABLE memberships (
  org_id integer NOT NULL,
  user_id integer NOT NULL,
  role text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  precedes_proof boolean NOT NULL DEFAULT false,
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
  sample_location_ids integer[] NOT NULL DEFAULT '{}'::integer[],
  sample_asset_ids integer[] NOT NULL DEFAULT '{}'::integer[],
  CONSTRAINT organizations_pkey PRIMARY KEY (id)
);

CREATE TABLE outbound_pause (
  id boolean NOT NULL DEFAULT true,
  paused_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT outbound_pause_single CHECK (id),
  CONSTRAINT outbound_pause_pkey PRIMARY KEY (id)
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

CREATE TABLE push_subscriptions (
  id SERIAL,
  org_id integer NOT NULL,
  user_id integer NOT NULL,
  session_id uuid NOT NULL,
  endpoint text COLLATE "C" NOT NULL,
  p256dh text COLLATE "C" NOT NULL,
  auth text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT push_subscriptions_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX push_subscriptions_endpoint ON push_subscriptions (org_id, endpoint);
CREATE INDEX push_subscriptions_person ON push_subscriptions (org_id, user_id);
CREATE INDEX push_subscriptions_session ON push_subscriptions (session_id);

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
  kind text COLLATE "C" NOT NULL DEFAULT 'zone'::text,
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

CREATE TABLE reader_notes (
  org_id integer NOT NULL,
  reader_id integer NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  detail text NOT NULL,
  payload bytea,
  count bigint NOT NULL,
  noted_at timestamptz(3) NOT NULL,
  CONSTRAINT reader_notes_pkey PRIMARY KEY (org_id, reader_id, kind, subject)
);

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
  location_rule text COLLATE "C" NOT NULL DEFAULT 'evidence'::text,
  clock_offset_ms bigint NOT NULL DEFAULT 0,
  count_private_addresses boolean NOT NULL DEFAULT false,
  more_topics text[] NOT NULL DEFAULT '{}'::text[],
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
  deleted_at timestamptz(3),
  CONSTRAINT saved_views_pkey PRIMARY KEY (id),
  CONSTRAINT saved_views_org_id_id_key UNIQUE (org_id, id)
);
CREATE UNIQUE INDEX saved_views_name ON saved_views (org_id, owner_id, name) NULLS NOT DISTINCT WHERE (deleted_at IS NULL);

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

CREATE TABLE scheduled_emails (
  id SERIAL,
  org_id integer NOT NULL,
  user_id integer NOT NULL,
  view_id integer,
  report json,
  format text COLLATE "C" NOT NULL,
  frequency text COLLATE "C" NOT NULL,
  day integer NOT NULL,
  hour integer NOT NULL,
  time_zone text COLLATE "C" NOT NULL,
  is_paused boolean NOT NULL DEFAULT false,
  scheduled_for timestamptz(3) NOT NULL,
  due_at timestamptz(3) NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  last_sent_at timestamptz(3),
  lead_id integer,
  CONSTRAINT scheduled_emails_subject CHECK (((view_id IS NULL) <> (report IS NULL))),
  CONSTRAINT scheduled_emails_pkey PRIMARY KEY (id)
);
CREATE INDEX scheduled_emails_due_at ON scheduled_emails (due_at);
CREATE INDEX scheduled_emails_person ON scheduled_emails (org_id, user_id);
CREATE UNIQUE INDEX scheduled_emails_recipient ON scheduled_emails (lead_id, user_id);
CREATE INDEX scheduled_emails_view ON scheduled_emails (org_id, view_id);

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

CREATE TABLE tag_telemetry (
  org_id integer NOT NULL,
  tag_id integer NOT NULL,
  battery real,
  battery_at timestamptz(3),
  voltage real,
  voltage_at timestamptz(3),
  temperature real,
  temperature_at timestamptz(3),
  humidity real,
  humidity_at timestamptz(3),
  motion real,
  motion_at timestamptz(3),
  movements real,
  movements_at timestamptz(3),
  button real,
  button_at timestamptz(3),
  CONSTRAINT tag_telemetry_pkey PRIMARY KEY (tag_id)
)
WITH (fillfactor='70');
CREATE INDEX tag_telemetry_low_battery ON tag_telemetry (org_id, tag_id) WHERE (battery < (20)::double precision);
CREATE INDEX tag_telemetry_org_id ON tag_telemetry (org_id);

CREATE TABLE tag_telemetry_hours (
  org_id integer NOT NULL,
  tag_id integer NOT NULL,
  hour timestamptz(3) NOT NULL,
  battery real,
  voltage real,
  temperature real,
  humidity real,
  CONSTRAINT tag_telemetry_hours_pkey PRIMARY KEY (tag_id, hour)
);
CREATE INDEX tag_telemetry_hours_hour ON tag_telemetry_hours (hour);

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

CREATE TABLE telemetry_breaches (
  org_id integer NOT NULL,
  rule_id integer NOT NULL,
  tag_id integer NOT NULL,
  since timestamptz(3) NOT NULL,
  CONSTRAINT telemetry_breaches_pkey PRIMARY KEY (rule_id, tag_id)
);
CREATE INDEX telemetry_breaches_since ON telemetry_breaches (rule_id, since);
CREATE INDEX telemetry_breaches_tag ON telemetry_breaches (tag_id);

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
  email_proven_at timestamptz(3),
  device_time_zone text COLLATE "C",
  device_language text COLLATE "C",
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
  status text NOT NULL DEFAULT 'pending'::text,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL,
  claimed_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  last_status_code integer,
  last_error text,
  answer_bytes integer NOT NULL DEFAULT 0,
  CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))),
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_endpoint_id_event_key_key UNIQUE (endpoint_id, event_key)
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
  deleted_at timestamptz(3),
  former_rule_ids integer[] NOT NULL DEFAULT '{}'::integer[],
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_endpoints_org_id_id_key UNIQUE (org_id, id)
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
ALTER TABLE api_keys
  ADD CONSTRAINT api_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE asset_containments
  ADD CONSTRAINT asset_containments_org_id_asset_id_fkey FOREIGN KEY (org_id, asset_id) REFERENCES assets(org_id, id) ON DELETE CASCADE;
ALTER TABLE asset_containments
  ADD CONSTRAINT asset_containments_org_id_container_id_fkey FOREIGN KEY (org_id, container_id) REFERENCES assets(org_id, id) ON DELETE CASCADE;
ALTER TABLE asset_containments
  ADD CONSTRAINT asset_containments_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE asset_containments
  ADD CONSTRAINT asset_containments_put_in_by_fkey FOREIGN KEY (put_in_by) REFERENCES users(id) ON DELETE SET NULL;
ALTER TABLE asset_containments
  ADD CONSTRAINT asset_containments_taken_out_by_fkey FOREIGN KEY (taken_out_by) REFERENCES users(id) ON DELETE SET NULL;
ALTER TABLE asset_kinds
  ADD CONSTRAINT asset_kinds_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE asset_kinds
  ADD CONSTRAINT asset_kinds_org_id_image_id_fkey FOREIGN KEY (org_id, image_id) REFERENCES images(org_id, id);
ALTER TABLE asset_photos
  ADD CONSTRAINT asset_photos_org_id_asset_id_fkey FOREIGN KEY (org_id, asset_id) REFERENCES assets(org_id, id) ON DELETE CASCADE;
ALTER TABLE asset_photos
  ADD CONSTRAINT asset_photos_org_id_image_id_fkey FOREIGN KEY (org_id, image_id) REFERENCES images(org_id, id) ON DELETE CASCADE;
ALTER TABLE asset_placements
  ADD CONSTRAINT asset_placements_org_id_asset_id_fkey FOREIGN KEY (org_id, asset_id) REFERENCES assets(org_id, id) ON DELETE CASCADE;
ALTER TABLE asset_placements
  ADD CONSTRAINT asset_placements_placed_by_fkey FOREIGN KEY (placed_by) REFERENCES users(id) ON DELETE SET NULL;
ALTER TABLE asset_positions
  ADD CONSTRAINT asset_positions_org_id_asset_id_fkey FOREIGN KEY (org_id, asset_id) REFERENCES assets(org_id, id) ON DELETE CASCADE;
ALTER TABLE asset_problems
  ADD CONSTRAINT asset_problems_org_id_asset_id_fkey FOREIGN KEY (org_id, asset_id) REFERENCES assets(org_id, id) ON DELETE CASCADE;
ALTER TABLE asset_problems
  ADD CONSTRAINT asset_problems_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE asset_problems
  ADD CONSTRAINT asset_problems_reported_by_fkey FOREIGN KEY (reported_by) REFERENCES users(id) ON DELETE SET NULL;
ALTER TABLE assets
  ADD CONSTRAINT assets_org_id_belongs_to_id_fkey FOREIGN KEY (org_id, belongs_to_id) REFERENCES locations(org_id, id);
ALTER TABLE assets
  ADD CONSTRAINT assets_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE assets
  ADD CONSTRAINT assets_org_id_kind_id_fkey FOREIGN KEY (org_id, kind_id) REFERENCES asset_kinds(org_id, id);
ALTER TABLE audit_items
  ADD CONSTRAINT audit_items_audit_fkey FOREIGN KEY (org_id, audit_id) REFERENCES audits(org_id, id) ON DELETE CASCADE;
ALTER TABLE audits
  ADD CONSTRAINT audits_location_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id);
ALTER TABLE audits
  ADD CONSTRAINT audits_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE audits
  ADD CONSTRAINT audits_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES users(id) ON DELETE SET NULL;
ALTER TABLE change_batches
  ADD CONSTRAINT change_batches_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
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
ALTER TABLE former_members
  ADD CONSTRAINT former_members_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE former_members
  ADD CONSTRAINT former_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
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
ALTER TABLE location_checks
  ADD CONSTRAINT location_checks_org_id_location_id_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id) ON DELETE CASCADE;
ALTER TABLE location_pictures
  ADD CONSTRAINT location_pictures_org_id_location_id_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id) ON DELETE CASCADE;
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
ALTER TABLE push_subscriptions
  ADD CONSTRAINT push_subscriptions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE push_subscriptions
  ADD CONSTRAINT push_subscriptions_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships(org_id, user_id) ON DELETE CASCADE;
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
ALTER TABLE reader_notes
  ADD CONSTRAINT reader_notes_org_id_reader_id_fkey FOREIGN KEY (org_id, reader_id) REFERENCES readers(org_id, id) ON DELETE CASCADE;
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
ALTER TABLE scheduled_emails
  ADD CONSTRAINT scheduled_emails_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES scheduled_emails(id) ON DELETE SET NULL;
ALTER TABLE scheduled_emails
  ADD CONSTRAINT scheduled_emails_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE scheduled_emails
  ADD CONSTRAINT scheduled_emails_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships(org_id, user_id) ON DELETE CASCADE;
ALTER TABLE scheduled_emails
  ADD CONSTRAINT scheduled_emails_org_id_view_id_fkey FOREIGN KEY (org_id, view_id) REFERENCES saved_views(org_id, id) ON DELETE CASCADE;
ALTER TABLE sessions
  ADD CONSTRAINT sessions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sessions
  ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sign_on_identities
  ADD CONSTRAINT sign_on_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE tag_telemetry
  ADD CONSTRAINT tag_telemetry_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE;
ALTER TABLE tag_telemetry_hours
  ADD CONSTRAINT tag_telemetry_hours_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE;
ALTER TABLE tags
  ADD CONSTRAINT tags_org_id_asset_id_fkey FOREIGN KEY (org_id, asset_id) REFERENCES assets(org_id, id);
ALTER TABLE tags
  ADD CONSTRAINT tags_org_id_location_id_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id);
ALTER TABLE telemetry_breaches
  ADD CONSTRAINT telemetry_breaches_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES alert_rules(id) ON DELETE CASCADE;
ALTER TABLE telemetry_breaches
  ADD CONSTRAINT telemetry_breaches_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE;
ALTER TABLE unknown_tags
  ADD CONSTRAINT unknown_tags_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE webhook_attempts
  ADD CONSTRAINT webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON DELETE CASCADE;
ALTER TABLE webhook_deliveries
  ADD CONSTRAINT webhook_deliveries_org_id_endpoint_id_fkey FOREIGN KEY (org_id, endpoint_id) REFERENCES webhook_endpoints(org_id, id) ON DELETE CASCADE;
ALTER TABLE webhook_endpoints
  ADD CONSTRAINT webhook_endpoints_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;

-- Views

-- Where no open visit is stored, the position is the open visit.
CREATE VIEW open_visits AS
  SELECT p.org_id, p.asset_id, p.located_since AS arrived_at, NULL::timestamptz(3) AS left_at, NULL::timestamptz(3) AS last_seen_at,
         p.location_id
    FROM asset_positions p
   WHERE NOT EXISTS (SELECT FROM asset_visits o
                      WHERE o.org_id = p.org_id AND o.asset_id = p.asset_id AND o.left_at IS NULL);

CREATE VIEW visits AS
  SELECT v.org_id, v.asset_id, v.arrived_at, v.left_at, v.last_seen_at, v.location_id FROM asset_visits v
  UNION ALL
  SELECT o.org_id, o.asset_id, o.arrived_at, o.left_at, o.last_seen_at, o.location_id FROM open_visits o;

-- Functions of procedures and triggers

-- Trigger on `alerts`, after each statement that opens, acknowledges or ends alerts. Notifies the processes that serve
-- live views about each organization concerned. Alerts that the app does not list are left out.
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

-- Returns the columns that differ between two versions of a row, given as JSON. Leaves out columns that say which row it is,
-- and since when. `json` keeps the digits of numbers, which `jsonb` would write out or reject.
CREATE OR REPLACE FUNCTION changed_columns(before json, after json) RETURNS TABLE (key text, old json, new json)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT c.key, c.old, c.new
    FROM ROWS FROM (json_each($1), json_each($2)) AS c (key, old, same, new)
   WHERE c.old::text <> c.new::text
     AND c.key <> ALL ('{id,org_id,created_at,updated_at,deleted_at,is_expired}'::text[])
$$;

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
-- The lock on the asset is the lock of a deletion. So the first position of the asset is either stored before, and
-- counted with the new state, or stored afterwards.
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

-- Trigger on `assets`, before each row whose `belongs_to_id` changes. Locks the row against foreign keys too, so that the
-- first position of the asset is stored either before the change, which then updates it, or after it.
CREATE OR REPLACE FUNCTION hold_first_position() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM assets WHERE org_id = NEW.org_id AND id = NEW.id FOR UPDATE;
  RETURN NEW;
END
$$;

-- Trigger on `alert_rules` and `webhook_endpoints`, after each row. Keeps in `event_interests` which types of events an
-- organization uses. Rules with time limits need no events, because they are checked by the clock.
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

-- Trigger on `assets` and `locations`, after a row is inserted, or its key or deletion changes. Arguments: the
-- kind and the prefix of the keys. Adds the slot that the row no longer has to `freed_keys`, and removes the slot that it
-- has now. Only live rows have slots.
--
-- Slots at or above the hint are added too. So a deletion needs no lock, and a create that moves the hint meanwhile
-- misses no slot. If another row had a slot that an import has reserved, and frees it, the slot is no longer reserved.
-- The connection keeps the plan, which may have been made for an empty table.
CREATE OR REPLACE FUNCTION keep_freed_keys() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  freed bigint := CASE WHEN TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL THEN key_slot(TG_ARGV[1], OLD.external_key) END;
  taken bigint := CASE WHEN NEW.deleted_at IS NULL THEN key_slot(TG_ARGV[1], NEW.external_key) END;
BEGIN
  IF freed IS NOT NULL THEN
    INSERT INTO freed_keys (org_id, kind, slot)
    VALUES (OLD.org_id, TG_ARGV[0], freed)
    ON CONFLICT (org_id, kind, slot) DO UPDATE SET lease_token = NULL;
  END IF;
  IF taken IS NOT NULL THEN
    DELETE FROM freed_keys WHERE org_id = NEW.org_id AND kind = TG_ARGV[0] AND slot = taken;
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

-- Trigger on `assets`, after each statement. Keeps `metadata_values` equal to the custom details of the live assets.
-- Old and new rows are joined by hash, because the connection keeps the plan, which may have been made for a statement
-- with one row.
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

-- Trigger on `asset_positions` and `assets`, after each statement. Keeps `hidden_by` of the positions of deleted and expired
-- assets and counts positions by it in `row_counts`, in shards as `keep_row_counts` does. Keeps `belongs_to_id` of positions,
-- by which an index finds the assets that are away from the location that they belong to.
--
-- Positions are locked in the order of the asset ids, as ingestion locks them, and before the counts, which prevents deadlocks.
CREATE OR REPLACE FUNCTION keep_position_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'assets' THEN
    WITH held AS MATERIALIZED (
      SELECT p.org_id, p.asset_id, p.hidden_by AS was, (n.deleted_at IS NOT NULL)::int + 2 * n.is_expired::int AS becomes,
             n.belongs_to_id
        FROM new_rows n
        JOIN asset_positions p ON p.org_id = n.org_id AND p.asset_id = n.id
       WHERE p.hidden_by <> (n.deleted_at IS NOT NULL)::int + 2 * n.is_expired::int
          OR p.belongs_to_id IS DISTINCT FROM n.belongs_to_id
       ORDER BY p.asset_id
         FOR NO KEY UPDATE OF p
    ), hidden AS (
      UPDATE asset_positions p
         SET hidden_by = h.becomes, belongs_to_id = h.belongs_to_id
        FROM held h
       WHERE p.org_id = h.org_id AND p.asset_id = h.asset_id
    )
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT h.org_id, 'position', true, s.state & 1 = 1, s.state & 2 = 2, pg_backend_pid() % 16, sum(s.change)
      FROM held h
     CROSS JOIN LATERAL (VALUES (h.becomes, 1), (h.was::int, -1)) AS s (state, change)
     WHERE h.becomes <> h.was
     GROUP BY h.org_id, s.state
     ORDER BY 1, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  ELSE
    UPDATE asset_positions p
       SET hidden_by = (a.deleted_at IS NOT NULL)::int + 2 * a.is_expired::int, belongs_to_id = a.belongs_to_id
      FROM new_rows n
      JOIN assets a ON a.org_id = n.org_id AND a.id = n.asset_id
     WHERE p.org_id = n.org_id AND p.asset_id = n.asset_id
       AND (p.hidden_by <> (a.deleted_at IS NOT NULL)::int + 2 * a.is_expired::int
            OR p.belongs_to_id IS DISTINCT FROM a.belongs_to_id);
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT p.org_id, 'position', true, a.deleted_at IS NOT NULL, a.is_expired, pg_backend_pid() % 16, count(*)
      FROM new_rows p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
     GROUP BY p.org_id, a.deleted_at IS NOT NULL, a.is_expired
     ORDER BY 1, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET n = row_counts.n + EXCLUDED.n;
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `assets` and `locations`, after each statement. Argument: the kind. Adds the changes of the statement to
-- `row_counts`, and one to the column `changes` of each row of `row_counts` that it updates. Each count is spread over
-- 16 shards by the process id of the connection, so two writers of one organization seldom wait for each other. An
-- import counts in a shard of its own, because it commits late. Rows are updated in the order of their keys, which
-- prevents deadlocks.
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

-- Returns the hint of a key series, `asset` or `location`, and locks the series until the end of the transaction. Each
-- slot below the hint has a live row, or a row in `freed_keys`.
CREATE OR REPLACE FUNCTION lock_key_hint(owner int, series text) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO key_hints (org_id, kind)
  VALUES (owner, series)
  ON CONFLICT (org_id, kind) DO UPDATE SET next_slot = key_hints.next_slot
  RETURNING next_slot
$$;

-- Returns the key of a slot of a series, `asset` or `location`, such as `ASSET-0042`. The inverse of `key_slot`.
CREATE OR REPLACE FUNCTION slot_key(series text, slot bigint) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE series WHEN 'asset' THEN 'ASSET-' WHEN 'location' THEN 'LOC-' END
         || lpad(slot::text, greatest(4, length(slot::text)), '0');

-- Returns the lowest free slots of a series, and locks the series until the end of the transaction: first slots that
-- were freed, then slots from the hint on that neither a live row nor an import has. Moves the hint to the first free
-- slot after them. The caller stores each slot in the same transaction, as the key of a row or in `freed_keys`.
--
-- The function must stay volatile, so that each statement has a newer snapshot, with everything that the previous
-- holder of the lock committed. Slots are looked up in growing batches. Each lookup is planned again, so that a plan
-- from when the tables were small does not read all rows for each slot.
CREATE OR REPLACE FUNCTION next_free_slots(owner int, series text, wanted int) RETURNS bigint[] VOLATILE
  LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  hint bigint := lock_key_hint(owner, series);
  freed bigint[];
  fresh bigint[] := '{}';
  batch bigint := 1;
  keys text[];
  taken bigint[];
BEGIN
  freed := ARRAY(
    SELECT slot
      FROM freed_keys
     WHERE org_id = owner AND kind = series AND slot < hint AND lease_token IS NULL
     ORDER BY slot
     LIMIT wanted);
  wanted := wanted - cardinality(freed);
  WHILE cardinality(fresh) <= wanted LOOP
    batch := least(batch * 4, greatest(wanted, 262144));
    keys := ARRAY(SELECT slot_key(series, slot) FROM generate_series(hint, hint + batch - 1) AS numbers (slot));
    IF series = 'asset' THEN
      taken := ARRAY(
        SELECT key_slot('ASSET-', external_key) FROM assets
         WHERE org_id = owner AND external_key = ANY (keys) AND deleted_at IS NULL);
    ELSE
      taken := ARRAY(
        SELECT key_slot('LOC-', external_key) FROM locations
         WHERE org_id = owner AND external_key = ANY (keys) AND deleted_at IS NULL);
    END IF;
    fresh := fresh || ARRAY(
      SELECT slot FROM generate_series(hint, hint + batch - 1) AS numbers (slot)
      EXCEPT
      SELECT unnest(taken)
      EXCEPT
      SELECT slot
        FROM freed_keys
       WHERE org_id = owner AND kind = series AND slot >= hint AND slot < hint + batch AND lease_token IS NOT NULL
       ORDER BY slot);
    hint := hint + batch;
  END LOOP;
  UPDATE key_hints SET next_slot = fresh[wanted + 1] WHERE org_id = owner AND kind = series;
  RETURN freed || fresh[:wanted];
END
$$;

-- Returns the lowest free key of a series, `asset` or `location`, and locks the series until the end of the transaction.
-- The caller inserts the row in the same statement.
CREATE OR REPLACE FUNCTION mint_key(owner int, series text) RETURNS text VOLATILE LANGUAGE plpgsql AS $$
BEGIN
  RETURN slot_key(series, (next_free_slots(owner, series, 1))[1]);
END
$$;

-- Returns the names and keys of the rows that a row refers to, as they are now: the kind of an asset, the location that it
-- belongs to, the parent of a location. `version` has the columns that refer to them.
CREATE OR REPLACE FUNCTION references_of(noun text, org_id int, version json)
  RETURNS TABLE (label text, name text, external_key text) LANGUAGE sql STABLE AS $$
  SELECT 'kind', k.name, NULL
    FROM asset_kinds k
   WHERE $1 = 'asset' AND k.org_id = $2 AND k.id = ($3 ->> 'kind_id')::int
  UNION ALL
  SELECT 'belongs_to', l.name, l.external_key
    FROM locations l
   WHERE $1 = 'asset' AND l.org_id = $2 AND l.id = ($3 ->> 'belongs_to_id')::int
  UNION ALL
  SELECT 'parent', l.name, l.external_key
    FROM locations l
   WHERE $1 = 'location' AND l.org_id = $2 AND l.id = ($3 ->> 'parent_id')::int
$$;

-- Returns the names of the rows that an asset or a location refers to, as the activity log shows them: `Pump`, or with a key
-- `Aisle A (LOC-0001)`. `version` has the columns that refer to them.
CREATE OR REPLACE FUNCTION names_of(noun text, org_id int, version json) RETURNS TABLE (names json) LANGUAGE sql STABLE AS $$
  SELECT json_object_agg(r.label, r.name || coalesce(' (' || r.external_key || ')', '')) FROM references_of($1, $2, $3) r
$$;

-- Trigger on `assets`, after each row whose key was changed. Adds one to `changes` of the organization's counts,
-- because the order of its assets has changed.
CREATE OR REPLACE FUNCTION note_new_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
  VALUES (NEW.org_id, 'asset', NEW.is_active, NEW.deleted_at IS NOT NULL, NEW.is_expired, pg_backend_pid() % 16, 0)
  ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET changes = row_counts.changes + 1;
  RETURN NULL;
END
$$;

-- Returns the tags of an asset or a location. `noun` is `asset` or `location`.
CREATE OR REPLACE FUNCTION tags_of(noun text, org_id int, id int) RETURNS SETOF tags LANGUAGE sql STABLE AS $$
  SELECT t.* FROM tags t WHERE $1 = 'asset' AND t.org_id = $2 AND t.asset_id = $3
  UNION ALL
  SELECT t.* FROM tags t WHERE $1 = 'location' AND t.org_id = $2 AND t.location_id = $3
$$;

-- Returns what an entry of the activity log holds of an asset or a location that was created or deleted: its columns, the
-- names of the rows that it refers to, and at most 20 tags. Long texts are cut at 2,000 characters, since many rows can be
-- deleted and restored again and again.
CREATE OR REPLACE FUNCTION whole_facts(noun text, version json) RETURNS TABLE (facts json) LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
           'row', CASE WHEN octet_length($2::text) <= 4000 THEN $2 ELSE (
             SELECT json_object_agg(c.key, CASE WHEN octet_length(c.value::text) > 2000 THEN to_json(left(c.value #>> '{}', 2000)) ELSE c.value END)
               FROM json_each($2) c) END,
           'names', (SELECT n.names FROM names_of($1, ($2 ->> 'org_id')::int, $2) n),
           'tags', (SELECT to_json((array_agg(g.tag_type || ':' || g.value ORDER BY g.id + 0))[1:20])
                      FROM tags_of($1, ($2 ->> 'org_id')::int, ($2 ->> 'id')::int) g))
$$;

-- Trigger on `assets` and `locations`, after each statement that inserts or updates. The arguments are `asset` or
-- `location`, and the columns that refer to other rows. No field is named here. An accepted change has another
-- `updated_at`.
--
-- Writes one entry of `activity_log` for each row that was created, changed, deleted or restored; an update that changes no
-- field writes no entry. `before` and `after` hold the columns that differ, and the names of a reference that differs, as
-- they are now. The setting `whereabouts.author` names the author: the entry point, the actor and a batch, separated by
-- spaces.
--
-- In organizations that asked for that type of event, also writes an event for each row, and adds a job that delivers them.
-- A restored row is an event like a created one, since receivers have been notified of its deletion. An event keeps the
-- columns before and after, with the tags and the keys of the rows that they refer to. The service makes the public views
-- from these, and leaves out a change that no view shows.
--
-- The connection keeps a plan, which may have been made for a statement with one row. Without nested loops the plan does
-- not compare 100,000 rows with each other. Without sequential scans it does not read all tags for each row.
CREATE OR REPLACE FUNCTION record_changes() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off
  SET enable_seqscan = off SET timezone = 'UTC' AS $$
DECLARE
  noun text := TG_ARGV[0];
  refs text[] := TG_ARGV[1:];
  author text[] := string_to_array(nullif(current_setting('whereabouts.author', true), ''), ' ');
  recorded bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, batch_id, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), noun, n.id::text, n.name, 'created',
           coalesce(author[1], 'system'), author[2], author[3]::uuid, w.facts
      FROM new_rows n
     CROSS JOIN LATERAL (SELECT to_json(n) AS after OFFSET 0) v
     CROSS JOIN LATERAL whole_facts(noun, v.after) w
     WHERE n.deleted_at IS NULL;
  ELSE
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, batch_id, before, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), noun, n.id::text, n.name,
           CASE WHEN o.deleted_at IS NOT NULL THEN 'restored' WHEN n.deleted_at IS NULL THEN 'updated' ELSE 'deleted' END,
           coalesce(author[1], 'system'), author[2], author[3]::uuid,
           CASE WHEN n.deleted_at IS NOT NULL THEN (SELECT w.facts FROM whole_facts(noun, v.before) w)
                WHEN c.before IS NOT NULL THEN json_build_object('row', c.before, 'names', CASE WHEN c.refers THEN (SELECT m.names FROM names_of(noun, n.org_id, c.before) m) END) END,
           CASE WHEN n.deleted_at IS NULL AND c.after IS NOT NULL THEN json_build_object('row', c.after, 'names', CASE WHEN c.refers THEN (SELECT m.names FROM names_of(noun, n.org_id, c.after) m) END) END
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
     CROSS JOIN LATERAL (SELECT to_json(o) AS before, to_json(n) AS after OFFSET 0) v
     CROSS JOIN LATERAL (
       SELECT json_object_agg(d.key, d.old) AS before, json_object_agg(d.key, d.new) AS after, bool_or(d.key = ANY (refs)) AS refers
         FROM changed_columns(v.before, v.after) d
     ) c
     WHERE ((o.deleted_at IS NULL) <> (n.deleted_at IS NULL) OR o.deleted_at IS NULL AND n.updated_at <> o.updated_at)
       AND (c.before IS NOT NULL OR (o.deleted_at IS NULL) <> (n.deleted_at IS NULL));
  END IF;
  IF NOT EXISTS (
    SELECT FROM event_interests i
     WHERE i.org_id IN (SELECT n.org_id FROM new_rows n)
       AND i.types && ARRAY[noun || '.created', noun || '.updated', noun || '.deleted']
  ) THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, location_id, data)
    SELECT n.org_id, i.type, n.created_at,
           CASE noun WHEN 'asset' THEN n.id END, CASE noun WHEN 'location' THEN n.id END,
           json_build_object('before', NULL, 'after', json_build_object('row', n, 'tags', t.tags, 'keys', r.keys))
      FROM new_rows n
      JOIN (SELECT e.org_id, unnest(e.types) AS type FROM event_interests e) i
        ON i.org_id = n.org_id AND i.type = noun || '.created'
     CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id + 0), '[]') AS tags
         FROM tags_of(noun, n.org_id, n.id) g
     ) t
     CROSS JOIN LATERAL (
       SELECT json_object_agg(f.label || '_external_key', f.external_key) AS keys FROM references_of(noun, n.org_id, to_json(n)) f
     ) r;
  ELSE
    INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, location_id, data)
    SELECT n.org_id, i.type, coalesce(n.deleted_at, n.updated_at),
           CASE noun WHEN 'asset' THEN n.id END, CASE noun WHEN 'location' THEN n.id END,
           json_build_object('before', CASE WHEN o.deleted_at IS NULL THEN json_build_object('row', o, 'tags', t.tags, 'keys', b.keys) END,
                             'after', CASE WHEN n.deleted_at IS NULL THEN json_build_object('row', n, 'tags', t.tags, 'keys', a.keys) END)
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
      JOIN (SELECT e.org_id, unnest(e.types) AS type FROM event_interests e) i
        ON i.org_id = n.org_id
       AND i.type = noun || CASE WHEN o.deleted_at IS NOT NULL THEN '.created' WHEN n.deleted_at IS NULL THEN '.updated'
                                 ELSE '.deleted' END
     CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id + 0), '[]') AS tags
         FROM tags_of(noun, n.org_id, n.id) g
     ) t
     CROSS JOIN LATERAL (
       SELECT json_object_agg(f.label || '_external_key', f.external_key) AS keys FROM references_of(noun, n.org_id, to_json(o)) f
     ) b
     CROSS JOIN LATERAL (
       SELECT json_object_agg(f.label || '_external_key', f.external_key) AS keys FROM references_of(noun, n.org_id, to_json(n)) f
     ) a
     WHERE (o.deleted_at IS NULL) <> (n.deleted_at IS NULL)
        OR o.deleted_at IS NULL AND n.updated_at <> o.updated_at;
  END IF;
  GET DIAGNOSTICS recorded = ROW_COUNT;
  IF recorded > 0 THEN
    PERFORM graphile_worker.add_job('route_events');
  END IF;
  RETURN NULL;
END
$$;

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

-- Trigger on `readers`, after a row is marked as deleted. Deletes the pins of the reader on floor plans.
CREATE OR REPLACE FUNCTION remove_reader_pins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM floor_plan_shapes WHERE org_id = NEW.org_id AND reader_id = NEW.id;
  RETURN NULL;
END
$$;

-- Makes a statement fail that stored fewer rows than expected, with its own SQLSTATE
-- (server/tracking/scans/storage-queries.ts). The commit that was sent with the statement then changes nothing.
CREATE OR REPLACE FUNCTION require_all_stored(stored bigint, expected bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF stored <> expected THEN
    RAISE EXCEPTION '% of % rows could be stored', stored, expected USING ERRCODE = 'WA001';
  END IF;
  RETURN true;
END
$$;

-- Returns the query for `search_grams` that finds every text which contains the given text. Both texts are folded by
-- `fold_case`. For up to four characters the result is exact. For more characters it also finds texts that have the
-- same sequences of four characters in other places, so the caller compares the texts. The sequences follow each other,
-- and the last one ends at the end of the text. For a long text about 16 sequences are used. Overlapping sequences
-- would exclude few further texts, and each costs a lookup.
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

-- Trigger on `asset_positions`, before each insertion: a new position is listed at the time at which its asset was seen.
CREATE OR REPLACE FUNCTION set_listed_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.listed_at := NEW.asset_last_seen;
  RETURN NEW;
END
$$;

-- Triggers

CREATE TRIGGER keep_event_interests AFTER INSERT OR DELETE OR UPDATE OF is_enabled, event_type ON alert_rules FOR EACH ROW EXECUTE FUNCTION keep_event_interests();
CREATE TRIGGER alerts_announce_changed AFTER UPDATE ON alerts REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION announce_alerts();
CREATE TRIGGER alerts_announce_opened AFTER INSERT ON alerts REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION announce_alerts();
CREATE TRIGGER keep_position_counts_insert AFTER INSERT ON asset_positions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_position_counts();
CREATE TRIGGER set_listed_at BEFORE INSERT ON asset_positions FOR EACH ROW EXECUTE FUNCTION set_listed_at();
CREATE TRIGGER clear_expired BEFORE UPDATE OF valid_from, valid_to ON assets FOR EACH ROW WHEN (old.is_expired) EXECUTE FUNCTION clear_expired();
CREATE TRIGGER hold_first_position BEFORE UPDATE OF belongs_to_id ON assets FOR EACH ROW WHEN ((old.belongs_to_id IS DISTINCT FROM new.belongs_to_id)) EXECUTE FUNCTION hold_first_position();
CREATE TRIGGER keep_freed_keys AFTER INSERT OR UPDATE OF external_key, deleted_at ON assets FOR EACH ROW EXECUTE FUNCTION keep_freed_keys('asset', 'ASSET-');
CREATE TRIGGER keep_metadata_values_insert AFTER INSERT ON assets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_metadata_values();
CREATE TRIGGER keep_metadata_values_update AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_metadata_values();
CREATE TRIGGER keep_position_counts_update AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_position_counts();
CREATE TRIGGER keep_row_counts_insert AFTER INSERT ON assets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('asset');
CREATE TRIGGER keep_row_counts_update AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('asset');
CREATE TRIGGER note_new_keys AFTER UPDATE OF external_key ON assets FOR EACH ROW WHEN ((old.external_key <> new.external_key)) EXECUTE FUNCTION note_new_keys();
CREATE TRIGGER record_changes_insert AFTER INSERT ON assets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('asset', 'kind_id', 'belongs_to_id');
CREATE TRIGGER record_changes_update AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('asset', 'kind_id', 'belongs_to_id');
CREATE TRIGGER clear_expired BEFORE UPDATE OF valid_from, valid_to ON locations FOR EACH ROW WHEN (old.is_expired) EXECUTE FUNCTION clear_expired();
CREATE TRIGGER keep_freed_keys AFTER INSERT OR UPDATE OF external_key, deleted_at ON locations FOR EACH ROW EXECUTE FUNCTION keep_freed_keys('location', 'LOC-');
CREATE TRIGGER keep_row_counts_insert AFTER INSERT ON locations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('location');
CREATE TRIGGER keep_row_counts_update AFTER UPDATE ON locations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_row_counts('location');
CREATE TRIGGER record_changes_insert AFTER INSERT ON locations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('location', 'parent_id');
CREATE TRIGGER record_changes_update AFTER UPDATE ON locations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('location', 'parent_id');
CREATE TRIGGER remove_reader_pins AFTER UPDATE OF deleted_at ON readers FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION remove_reader_pins();
CREATE TRIGGER forget_known_tags AFTER INSERT ON tags REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_known_tags();
CREATE TRIGGER forget_restored_tags AFTER UPDATE ON tags REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_known_tags();
CREATE TRIGGER record_changes_delete AFTER DELETE ON tags REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_tag_changes();
CREATE TRIGGER record_changes_insert AFTER INSERT ON tags REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_tag_changes();
CREATE TRIGGER keep_webhook_backlogs_delete AFTER DELETE ON webhook_deliveries REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_webhook_backlogs();
CREATE TRIGGER keep_webhook_backlogs_insert AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_webhook_backlogs();
CREATE TRIGGER keep_webhook_backlogs_update AFTER UPDATE ON webhook_deliveries REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_webhook_backlogs();
CREATE TRIGGER keep_event_interests AFTER INSERT OR DELETE OR UPDATE OF is_enabled, event_types ON webhook_endpoints FOR EACH ROW EXECUTE FUNCTION keep_event_interests();
