-- Trigger on `position_listings`, after each statement. Keeps in `slot_counts` how many listings of an organization are in
-- each range of slots. A connection counts in rows of its own, so no transaction waits for another one; maintenance adds them
-- up. Most updates leave every listing in its range and write nothing.
CREATE OR REPLACE FUNCTION keep_slot_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO slot_counts (org_id, step, range_no, shard, n)
    SELECT c.org_id, s.step, c.seen_slot >> s.step, pg_backend_pid(), sum(c.change)
      FROM (SELECT org_id, seen_slot, 1 AS change FROM new_rows
            UNION ALL
            SELECT org_id, seen_slot, -1 FROM old_rows) c
     CROSS JOIN (VALUES (5), (13)) AS s (step)
     GROUP BY 1, 2, 3
    HAVING sum(c.change) <> 0
    ON CONFLICT (org_id, step, range_no, shard) DO UPDATE SET n = slot_counts.n + EXCLUDED.n;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO slot_counts (org_id, step, range_no, shard, n)
    SELECT n.org_id, s.step, n.seen_slot >> s.step, pg_backend_pid(), count(*)
      FROM new_rows n CROSS JOIN (VALUES (5), (13)) AS s (step)
     GROUP BY 1, 2, 3
    ON CONFLICT (org_id, step, range_no, shard) DO UPDATE SET n = slot_counts.n + EXCLUDED.n;
  ELSE
    INSERT INTO slot_counts (org_id, step, range_no, shard, n)
    SELECT o.org_id, s.step, o.seen_slot >> s.step, pg_backend_pid(), -count(*)
      FROM old_rows o CROSS JOIN (VALUES (5), (13)) AS s (step)
     GROUP BY 1, 2, 3
    ON CONFLICT (org_id, step, range_no, shard) DO UPDATE SET n = slot_counts.n + EXCLUDED.n;
  END IF;
  RETURN NULL;
END
$$;
