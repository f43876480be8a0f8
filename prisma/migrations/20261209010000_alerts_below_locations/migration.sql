-- Locks: ROW EXCLUSIVE on alerts, and a lock on each alert that is changed, for seconds: reads and other writes go on.

-- Alerts from before `location_ids` know the locations that they name, and not those above them. They get those of the
-- present tree, so that the list of a location finds them too. Later alerts have the locations of the tree as it was.
WITH RECURSIVE earlier AS MATERIALIZED (
  SELECT a.id, a.org_id, a.location_ids
    FROM alerts a
   WHERE a.location_ids <> '{}'
     AND a.opened_at < (SELECT m.finished_at FROM _prisma_migrations m WHERE m.migration_name = '20261203010000_alerts_by_subject')
), up AS (
  SELECT l.org_id, l.id AS start, l.parent_id, 1 AS level
    FROM locations l
    JOIN (SELECT DISTINCT e.org_id, i.id FROM earlier e CROSS JOIN unnest(e.location_ids) AS i (id)) named
      ON named.org_id = l.org_id AND named.id = l.id
  UNION ALL
  SELECT up.org_id, up.start, p.parent_id, up.level + 1
    FROM up
    JOIN locations p ON p.org_id = up.org_id AND p.id = up.parent_id
   WHERE up.level < 64
), above AS (
  SELECT e.id, array_agg(DISTINCT up.parent_id) AS ids
    FROM earlier e
   CROSS JOIN unnest(e.location_ids) AS i (id)
    JOIN up ON up.org_id = e.org_id AND up.start = i.id AND up.parent_id IS NOT NULL
   GROUP BY e.id
)
UPDATE alerts a
   SET location_ids = ARRAY(SELECT DISTINCT * FROM unnest(a.location_ids || above.ids))
  FROM above
 WHERE a.id = above.id;
