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
