-- Locks: ACCESS EXCLUSIVE on saved_views while an index is built, for milliseconds, as an organization has a few views; SHARE ROW
-- EXCLUSIVE on organizations, memberships and saved_views for milliseconds, as the new table is empty: writes of them wait.

ALTER TABLE saved_views ADD CONSTRAINT saved_views_org_id_id_key UNIQUE (org_id, id);

CREATE TABLE scheduled_emails (
  id SERIAL NOT NULL,
  org_id INT NOT NULL,
  user_id INT NOT NULL,
  view_id INT,
  report JSON,
  format TEXT COLLATE "C" NOT NULL,
  frequency TEXT COLLATE "C" NOT NULL,
  day INT NOT NULL,
  hour INT NOT NULL,
  time_zone TEXT COLLATE "C" NOT NULL,
  is_paused BOOLEAN NOT NULL DEFAULT false,
  unopened INT NOT NULL DEFAULT 0,
  scheduled_for TIMESTAMPTZ(3) NOT NULL,
  due_at TIMESTAMPTZ(3) NOT NULL,
  tries INT NOT NULL DEFAULT 0,
  last_sent_at TIMESTAMPTZ(3),
  CONSTRAINT scheduled_emails_pkey PRIMARY KEY (id),
  CONSTRAINT scheduled_emails_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT scheduled_emails_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT scheduled_emails_org_id_view_id_fkey FOREIGN KEY (org_id, view_id) REFERENCES saved_views (org_id, id) ON DELETE CASCADE,
  CONSTRAINT scheduled_emails_subject CHECK ((view_id IS NULL) <> (report IS NULL))
);
CREATE INDEX scheduled_emails_person ON scheduled_emails (org_id, user_id);
CREATE INDEX scheduled_emails_view ON scheduled_emails (org_id, view_id);
CREATE INDEX scheduled_emails_due_at ON scheduled_emails (due_at);
