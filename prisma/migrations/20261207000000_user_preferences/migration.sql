-- Locks: ACCESS EXCLUSIVE on users, for milliseconds: no row is read or written.

-- How a person wants dates, times and numbers written; null for what their device says.
ALTER TABLE users ADD COLUMN time_zone TEXT COLLATE "C";
ALTER TABLE users ADD COLUMN locale TEXT COLLATE "C";
ALTER TABLE users ADD COLUMN hour_cycle TEXT COLLATE "C";
