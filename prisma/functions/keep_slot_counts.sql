-- Trigger on `position_listings`, after each statement. Keeps in `slot_counts` how many listings of an organization are in
-- each range of slots: `n` of assets that are shown, `n_deleted` of those that are hidden by their deletion alone. A connection
-- counts in rows of its own, so no transaction waits for another one; maintenance adds them up. Most updates leave every listing
-- in its range and write nothing.
CREATE OR REPLACE FUNCTION keep_slot_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO slot_counts (org_id, step, range_no, shard, n, n_deleted)
    SELECT c.org_id, s.step, c.seen_slot >> s.step, pg_backend_pid(), sum(c.shown), sum(c.deleted)
      FROM (SELECT org_id, seen_slot, (hidden_by = 0)::int AS shown, (hidden_by = 1)::int AS deleted FROM new_rows
            UNION ALL
            SELECT org_id, seen_slot, -(hidden_by = 0)::int, -(hidden_by = 1)::int FROM old_rows) c
     CROSS JOIN (VALUES (3), (12)) AS s (step)
     GROUP BY 1, 2, 3
    HAVING sum(c.shown) <> 0 OR sum(c.deleted) <> 0
    ON CONFLICT (org_id, step, range_no, shard)
    DO UPDATE SET n = slot_counts.n + EXCLUDED.n, n_deleted = slot_counts.n_deleted + EXCLUDED.n_deleted;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO slot_counts (org_id, step, range_no, shard, n, n_deleted)
    SELECT n.org_id, s.step, n.seen_slot >> s.step, pg_backend_pid(), sum((n.hidden_by = 0)::int), sum((n.hidden_by = 1)::int)
      FROM new_rows n CROSS JOIN (VALUES (3), (12)) AS s (step)
     WHERE n.hidden_by <= 1
     GROUP BY 1, 2, 3
    ON CONFLICT (org_id, step, range_no, shard)
    DO UPDATE SET n = slot_counts.n + EXCLUDED.n, n_deleted = slot_counts.n_deleted + EXCLUDED.n_deleted;
  ELSE
    INSERT INTO slot_counts (org_id, step, range_no, shard, n, n_deleted)
    SELECT o.org_id, s.step, o.seen_slot >> s.step, pg_backend_pid(), -sum((o.hidden_by = 0)::int), -sum((o.hidden_by = 1)::int)
      FROM old_rows o CROSS JOIN (VALUES (3), (12)) AS s (step)
     WHERE o.hidden_by <= 1
     GROUP BY 1, 2, 3
    ON CONFLICT (org_id, step, range_no, shard)
    DO UPDATE SET n = slot_counts.n + EXCLUDED.n, n_deleted = slot_counts.n_deleted + EXCLUDED.n_deleted;
  END IF;
  RETURN NULL;
END
$$;
