-- Locks: ACCESS EXCLUSIVE on alert_emails for milliseconds: no row is read or written. SHARE ROW EXCLUSIVE on organizations and memberships
-- for milliseconds, as the new table is empty: writes of them wait.

ALTER TABLE alert_emails ADD COLUMN by_push BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE push_subscriptions (
  id SERIAL NOT NULL,
  org_id INT NOT NULL,
  user_id INT NOT NULL,
  session_id UUID NOT NULL,
  endpoint TEXT COLLATE "C" NOT NULL,
  p256dh TEXT COLLATE "C" NOT NULL,
  auth TEXT COLLATE "C" NOT NULL,
  key_id TEXT COLLATE "C" NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT push_subscriptions_pkey PRIMARY KEY (id),
  CONSTRAINT push_subscriptions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT push_subscriptions_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX push_subscriptions_endpoint ON push_subscriptions (org_id, endpoint);
CREATE INDEX push_subscriptions_person ON push_subscriptions (org_id, user_id);
CREATE INDEX push_subscriptions_session ON push_subscriptions (session_id);
