-- Locks: ACCESS EXCLUSIVE on organizations and users, for milliseconds: no row is read or written.
DROP FUNCTION refuse_while_moving();
DROP FUNCTION organization_is_moving(int);
ALTER TABLE organizations DROP COLUMN moving;
ALTER TABLE users DROP COLUMN changed_at;
