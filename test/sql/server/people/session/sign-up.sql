-- name: signUp
LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE;

-- name: signUp
INSERT INTO organizations (name)
VALUES ($1)
RETURNING id;
