-- Locks: ACCESS EXCLUSIVE on scheduled_emails and users, for milliseconds: no row of users is read or written, and an organization has
-- at most 200 emails.
ALTER TABLE scheduled_emails
  DROP COLUMN unopened,
  ADD COLUMN lead_id INT,
  ADD CONSTRAINT scheduled_emails_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES scheduled_emails (id) ON DELETE SET NULL;
CREATE UNIQUE INDEX scheduled_emails_recipient ON scheduled_emails (lead_id, user_id);
ALTER TABLE users ADD COLUMN device_time_zone TEXT COLLATE "C", ADD COLUMN device_language TEXT COLLATE "C";
