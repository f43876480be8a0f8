-- Locks: ACCESS EXCLUSIVE on memberships, for milliseconds: no row is read or written.

-- Whether the membership is older than the first proof of the address, and the owner of the address has not chosen yet whether to keep it.
ALTER TABLE memberships ADD COLUMN precedes_proof boolean NOT NULL DEFAULT false;
