-- Locks: ACCESS EXCLUSIVE on readers and reader_minutes, for milliseconds: no row is read or written.

ALTER TABLE readers ADD COLUMN count_private_addresses BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE reader_minutes ADD COLUMN ignored INTEGER NOT NULL DEFAULT 0;
