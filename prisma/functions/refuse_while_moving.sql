-- Trigger on the tables of an organization that is being moved, after each of its rows. The argument is the id of the
-- organization. The move creates the triggers, not migrations, so other organizations never pay for them. The error is
-- the error of a lock that was not available, so a request is repeated and then answered with 503. Maintenance does
-- nothing that it would not do in the other cell as well.
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
