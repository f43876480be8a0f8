-- Locks: ACCESS EXCLUSIVE on users, for milliseconds: no row is read or written.

-- The language of the app for a person; null for the one of their browser.
ALTER TABLE users ADD COLUMN language TEXT COLLATE "C";
