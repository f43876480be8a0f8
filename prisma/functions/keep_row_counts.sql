-- Trigger on `assets` and `locations`, after each statement. Argument: the kind. Adds the changes of the statement to
-- `row_counts`, and one to the column `changes` of each row of `row_counts` that it updates. Each count is spread over
-- 16 shards by the process id of the connection, so two writers of one organization seldom wait for each other. An
-- import counts in a shard of its own, because it commits late. Rows are updated in the order of their keys, which
-- prevents deadlocks.
CREATE OR REPLACE FUNCTION keep_row_counts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_shard int := coalesce(nullif(current_setting('whereabouts.count_shard', true), '')::int, pg_backend_pid() % 16);
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT org_id, TG_ARGV[0], is_active, deleted_at IS NOT NULL, is_expired, own_shard, count(*)
      FROM new_rows
     GROUP BY org_id, is_active, deleted_at IS NOT NULL, is_expired
     ORDER BY 1, 3, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE
       SET n = row_counts.n + EXCLUDED.n, changes = row_counts.changes + 1;
  ELSE
    INSERT INTO row_counts (org_id, kind, is_active, is_deleted, is_expired, shard, n)
    SELECT org_id, TG_ARGV[0], is_active, is_deleted, is_expired, own_shard, sum(change)
      FROM (SELECT org_id, is_active, deleted_at IS NOT NULL AS is_deleted, is_expired, 1 AS change FROM new_rows
            UNION ALL
            SELECT org_id, is_active, deleted_at IS NOT NULL, is_expired, -1 FROM old_rows) changes
     GROUP BY org_id, is_active, is_deleted, is_expired
    HAVING sum(change) <> 0
     ORDER BY 1, 3, 4, 5
    ON CONFLICT (org_id, kind, is_active, is_deleted, is_expired, shard) DO UPDATE
       SET n = row_counts.n + EXCLUDED.n, changes = row_counts.changes + 1;
  END IF;
  RETURN NULL;
END
$$;
