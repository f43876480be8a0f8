-- name: signUp
LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE;
-- plan:
--   none: not a query

-- name: signUp
INSERT INTO
  organizations (name)
VALUES
  ($1)
RETURNING
  id;
-- plan:
--   ModifyTable organizations
--     Result
