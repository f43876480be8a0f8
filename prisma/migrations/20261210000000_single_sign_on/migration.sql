-- Locks: ACCESS EXCLUSIVE on users for the dropped NOT NULL, and SHARE ROW EXCLUSIVE on users and organizations for the foreign
-- keys, for milliseconds: no row is read or written.

-- People who sign in by single sign-on alone have no password.
ALTER TABLE users ALTER COLUMN password_hash DROP NOT NULL;

-- Who a person is at an identity provider. A provider names a person by `sub`, which never changes and is never given to
-- somebody else; an email address can be.
CREATE TABLE sign_on_identities (
  issuer TEXT COLLATE "C" NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (issuer, subject),
  CONSTRAINT sign_on_identities_lengths CHECK (length(issuer) <= 2048 AND length(subject) BETWEEN 1 AND 255)
);
CREATE UNIQUE INDEX sign_on_identities_user ON sign_on_identities (user_id, issuer);

-- Email domains whose people become members at their first sign-on. Several organizations can claim a domain, and one of them
-- can have it verified.
CREATE TABLE email_domains (
  org_id INTEGER NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  domain TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL,
  -- What the TXT record of the domain has to contain.
  token TEXT COLLATE "C" NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  verified_at TIMESTAMPTZ(3),
  PRIMARY KEY (org_id, domain),
  CONSTRAINT email_domains_role_check CHECK (role IN ('viewer', 'operator', 'manager'))
);
CREATE UNIQUE INDEX email_domains_verified ON email_domains (domain) WHERE verified_at IS NOT NULL;
