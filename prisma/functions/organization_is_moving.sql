-- Returns whether an organization is being moved to another cell, or has been moved: nothing of the organization is
-- accepted here then. While it is `leaving`, the process that moves it holds its advisory lock. If this process dies,
-- it loses the lock, and the organization works here again.
CREATE OR REPLACE FUNCTION organization_is_moving(organization int) RETURNS boolean LANGUAGE sql VOLATILE
  RETURN EXISTS (SELECT FROM organizations o
                  WHERE o.id = organization
                    AND (o.moving = 'left'
                         OR o.moving = 'leaving' AND NOT pg_try_advisory_xact_lock_shared(42, o.id)));
