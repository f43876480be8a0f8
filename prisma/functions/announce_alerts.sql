-- Trigger on `alerts`, after each statement that opens, acknowledges or ends alerts. Notifies the processes that serve
-- live views about each organization concerned. Alerts that the app does not list are left out.
CREATE OR REPLACE FUNCTION announce_alerts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('whereabouts_alerts', o.org_id::text)
     FROM (SELECT DISTINCT c.org_id FROM changed_rows c WHERE c.in_app) o;
  RETURN NULL;
END
$$;
