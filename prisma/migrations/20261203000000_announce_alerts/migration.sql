-- Locks: ACCESS EXCLUSIVE on alerts, for milliseconds: no row is read or written.

-- The locations that an alert concerns, each with the locations above it: where an asset came from and went to, or is.
ALTER TABLE alerts ADD COLUMN location_ids INTEGER[] NOT NULL DEFAULT '{}';

-- Trigger on `alerts`, after each statement that opens, acknowledges or ends some. Notifies the processes that serve live
-- views of each organization concerned. Alerts that the app does not list are left out.
CREATE OR REPLACE FUNCTION announce_alerts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('whereabouts_alerts', o.org_id::text)
     FROM (SELECT DISTINCT c.org_id FROM changed_rows c WHERE c.in_app) o;
  RETURN NULL;
END
$$;

CREATE TRIGGER alerts_announce_opened
  AFTER INSERT ON alerts REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION announce_alerts();
CREATE TRIGGER alerts_announce_changed
  AFTER UPDATE ON alerts REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION announce_alerts();
