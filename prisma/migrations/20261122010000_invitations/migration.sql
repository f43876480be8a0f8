-- Links that let a person into an organisation, each once. Of the link the hash of its token alone is kept.
CREATE TABLE invitations (
  id SERIAL PRIMARY KEY,
  org_id INTEGER NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  token_hash TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL,
  email TEXT COLLATE "C",
  invited_by INTEGER REFERENCES users (id) ON DELETE SET NULL ON UPDATE CASCADE,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  accepted_at TIMESTAMPTZ(3),
  revoked_at TIMESTAMPTZ(3),
  CONSTRAINT invitations_role_check CHECK (role IN ('viewer', 'operator', 'manager', 'admin'))
);

CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);
CREATE INDEX invitations_org_id_created_at_idx ON invitations (org_id, created_at);

-- When administrators said that they need to be led through their first steps no longer.
ALTER TABLE organizations ADD COLUMN first_steps_ended_at TIMESTAMPTZ(3);
