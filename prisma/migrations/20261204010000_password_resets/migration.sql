-- Locks: SHARE ROW EXCLUSIVE on users for the foreign key, for milliseconds: no row is read or written.

-- Links that let a person choose another password, once. The token is stored as a hash.
CREATE TABLE password_resets (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL,
  expires_at TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX password_resets_token_hash ON password_resets (token_hash);
