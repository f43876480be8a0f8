-- Locks: SHARE ROW EXCLUSIVE on position_listings while its rows are counted, about a second for each million: reads go on,
-- and readers' messages wait to be stored.

-- How many listings of an organization are in each range of slots: of 32 slots, which are 320 seconds, and of 8,192, which
-- are almost a day. A page at a large offset of the report begins at the range that the counts lead to.
CREATE TABLE slot_counts (
  org_id INTEGER NOT NULL,
  -- The slots of a range are 2 to the power of this.
  step SMALLINT NOT NULL,
  -- The slots divided by their number in a range.
  range_no INTEGER NOT NULL,
  -- The process id of the connection that has counted; 0 for what maintenance has added up.
  shard INTEGER NOT NULL,
  n BIGINT NOT NULL,
  CONSTRAINT slot_counts_pkey PRIMARY KEY (org_id, step, range_no, shard)
);
ALTER TABLE slot_counts SET (fillfactor = 50);

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

CREATE TRIGGER keep_slot_counts_insert AFTER INSERT ON position_listings
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_slot_counts();
CREATE TRIGGER keep_slot_counts_update AFTER UPDATE ON position_listings
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_slot_counts();
CREATE TRIGGER keep_slot_counts_delete AFTER DELETE ON position_listings
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_slot_counts();

INSERT INTO slot_counts (org_id, step, range_no, shard, n)
SELECT l.org_id, s.step, l.seen_slot >> s.step, 0, count(*)
  FROM position_listings l CROSS JOIN (VALUES (5), (13)) AS s (step)
 GROUP BY 1, 2, 3;
