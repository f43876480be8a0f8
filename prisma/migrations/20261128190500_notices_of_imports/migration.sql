-- Locks: ACCESS EXCLUSIVE on imports and import_problems, for milliseconds: no row is read or written.
ALTER TABLE imports ADD COLUMN notice_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE import_problems ADD COLUMN is_notice BOOLEAN NOT NULL DEFAULT false;
