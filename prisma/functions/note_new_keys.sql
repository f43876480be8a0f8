-- Trigger on `assets`, after each row whose key was changed. Adds one to `changes` of the organization's counts,
-- because the order of its assets has changed.
CREATE OR REPLACE FUNCTION note_new_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
  VALUES (NEW.org_id, 'asset', NEW.is_active, NEW.deleted_at IS NOT NULL, NEW.is_expired, pg_backend_pid() % 16, 0)
  ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE SET changes = row_counts.changes + 1;
  RETURN NULL;
END
$$;
