-- Locks: ACCESS EXCLUSIVE on organizations, while its rows are read, one for each organization.

-- `leaving` while an organization is being moved to another cell, `left` once it is active there.
ALTER TABLE organizations ADD COLUMN moving TEXT COLLATE "C" CHECK (moving IN ('leaving', 'left'));

-- Returns whether an organization is being moved to another cell, or has been: nothing of it is accepted here then. While it is
-- `leaving`, the process that moves it holds its advisory lock. A process that dies loses the lock, and the organization works
-- here again.
CREATE OR REPLACE FUNCTION organization_is_moving(organization int) RETURNS boolean LANGUAGE sql VOLATILE
  RETURN EXISTS (SELECT FROM organizations o
                  WHERE o.id = organization
                    AND (o.moving = 'left'
                         OR o.moving = 'leaving' AND NOT pg_try_advisory_xact_lock_shared(42, o.id)));

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
