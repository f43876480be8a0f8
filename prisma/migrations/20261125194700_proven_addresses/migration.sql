-- Locks: ACCESS EXCLUSIVE on users for milliseconds, and then a lock on each row of users without a password; SHARE ROW
-- EXCLUSIVE on organizations for milliseconds; SHARE on invitations while its rows, at most 30 days old, are read.

-- When the owner of the address has proven it. Accounts without a password came from single sign-on, whose provider had
-- verified the address; of all other accounts nobody knows.
ALTER TABLE users ADD COLUMN email_proven_at timestamptz(3);
UPDATE users SET email_proven_at = date_trunc('milliseconds', clock_timestamp()) WHERE password_hash IS NULL;

-- The version of an account. Copies of earlier releases have the same one in all cells, so that none replaces another.
ALTER TABLE users ADD COLUMN changed_at timestamptz(3) NOT NULL DEFAULT '1970-01-01T00:00:00Z';
ALTER TABLE users ALTER COLUMN changed_at SET DEFAULT CURRENT_TIMESTAMP;

ALTER TABLE invitations ADD COLUMN mail_token_hash text COLLATE "C";
CREATE UNIQUE INDEX invitations_mail_token_hash_key ON invitations (mail_token_hash);

CREATE TABLE former_members (
  org_id integer NOT NULL,
  user_id integer NOT NULL,
  removed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT former_members_pkey PRIMARY KEY (org_id, user_id),
  CONSTRAINT former_members_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT former_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
