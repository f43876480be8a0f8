-- Locks: ACCESS EXCLUSIVE on images and webhook_endpoints, for milliseconds: no row is read or written.

-- A photo can be added again for an hour after its deletion, and a webhook restored for 30 days.
ALTER TABLE images ADD COLUMN detached_at timestamptz(3);
ALTER TABLE webhook_endpoints ADD COLUMN deleted_at timestamptz(3);
ALTER TABLE webhook_endpoints ADD COLUMN former_rule_ids integer[] NOT NULL DEFAULT '{}';
