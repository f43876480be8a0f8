-- Deleted rules and views can be restored for 30 days.
--
-- Locks: ACCESS EXCLUSIVE on both tables, for milliseconds: they are small.
ALTER TABLE alert_rules
  ADD COLUMN deleted_at timestamptz(3),
  ADD COLUMN was_enabled boolean;
ALTER TABLE saved_views ADD COLUMN deleted_at timestamptz(3);
DROP INDEX saved_views_name;
CREATE UNIQUE INDEX saved_views_name ON saved_views (org_id, owner_id, name) NULLS NOT DISTINCT WHERE deleted_at IS NULL;
