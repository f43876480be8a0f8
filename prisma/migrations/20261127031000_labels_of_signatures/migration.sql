-- Locks: ACCESS EXCLUSIVE on location_signatures, for milliseconds: no row is read or written.

ALTER TABLE location_signatures
  ADD COLUMN labels INT NOT NULL DEFAULT 0;
