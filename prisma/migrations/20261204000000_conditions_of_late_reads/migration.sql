-- Locks: ACCESS EXCLUSIVE on alert_rules, for milliseconds: no row is read or written.

-- Reads that arrive late can bring a condition about that began before `checked_until`. What began before it is looked at
-- again in portions; this is where the next one begins. Null: at the beginning.
ALTER TABLE alert_rules ADD COLUMN rechecked_until TIMESTAMPTZ(3);

-- Notes of the checks change nothing that the trigger keeps.
DROP TRIGGER keep_event_interests ON alert_rules;
CREATE TRIGGER keep_event_interests AFTER INSERT OR DELETE OR UPDATE OF is_enabled, event_type ON alert_rules
  FOR EACH ROW EXECUTE FUNCTION keep_event_interests();
