-- Locks: ACCESS EXCLUSIVE on import_problems, for milliseconds: no row is read or written.
ALTER TABLE import_problems ADD COLUMN reason json;
