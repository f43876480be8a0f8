-- Locks: SHARE ROW EXCLUSIVE on tags and alert_rules for milliseconds, for the foreign keys of new, empty tables.

-- Updated often, and hardly any index has a value: pages keep space for the new versions of their rows.
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
  CONSTRAINT tag_telemetry_pkey PRIMARY KEY (tag_id),
  CONSTRAINT tag_telemetry_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags (id) ON DELETE CASCADE
) WITH (fillfactor = 70);
CREATE INDEX tag_telemetry_org_id ON tag_telemetry (org_id);
-- The filter of the list of assets.
CREATE INDEX tag_telemetry_low_battery ON tag_telemetry (org_id, tag_id) WHERE (battery < 20);

CREATE TABLE tag_telemetry_hours (
  org_id integer NOT NULL,
  tag_id integer NOT NULL,
  hour timestamptz(3) NOT NULL,
  battery real,
  voltage real,
  temperature real,
  humidity real,
  CONSTRAINT tag_telemetry_hours_pkey PRIMARY KEY (tag_id, hour),
  CONSTRAINT tag_telemetry_hours_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags (id) ON DELETE CASCADE
);
CREATE INDEX tag_telemetry_hours_hour ON tag_telemetry_hours (hour);

CREATE TABLE telemetry_breaches (
  org_id integer NOT NULL,
  rule_id integer NOT NULL,
  tag_id integer NOT NULL,
  since timestamptz(3) NOT NULL,
  CONSTRAINT telemetry_breaches_pkey PRIMARY KEY (rule_id, tag_id),
  CONSTRAINT telemetry_breaches_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES alert_rules (id) ON DELETE CASCADE,
  CONSTRAINT telemetry_breaches_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags (id) ON DELETE CASCADE
);
CREATE INDEX telemetry_breaches_since ON telemetry_breaches (rule_id, since);
CREATE INDEX telemetry_breaches_tag ON telemetry_breaches (tag_id);
