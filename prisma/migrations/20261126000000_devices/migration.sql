-- Locks: ACCESS EXCLUSIVE on sessions and refresh_tokens, for milliseconds: no row is read or written.

ALTER TABLE sessions ADD COLUMN device_id TEXT;
ALTER TABLE refresh_tokens ADD COLUMN is_successor BOOLEAN NOT NULL DEFAULT false;
