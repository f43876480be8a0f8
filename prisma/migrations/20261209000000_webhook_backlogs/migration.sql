-- Locks: ACCESS EXCLUSIVE on webhook_endpoints and webhook_deliveries, while the deliveries that are pending are read: at
-- most 100,000 of an organization.

ALTER TABLE webhook_endpoints ADD COLUMN pending_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhook_endpoints ADD COLUMN pending_bytes BIGINT NOT NULL DEFAULT 0;

-- Trigger on `webhook_deliveries`, after each statement. Keeps `pending_count` and `pending_bytes` of `webhook_endpoints`:
-- the deliveries of an endpoint that are not done, and the bytes of their bodies. Endpoints are locked in the order of their
-- ids, which prevents deadlocks.
CREATE OR REPLACE FUNCTION keep_webhook_backlogs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE webhook_endpoints w
       SET pending_count = w.pending_count + h.n, pending_bytes = w.pending_bytes + h.bytes
      FROM (SELECT e.id, c.n, c.bytes
              FROM (SELECT endpoint_id, count(*) AS n, sum(octet_length(body)) AS bytes
                      FROM new_rows WHERE status = 'pending' GROUP BY endpoint_id) c
              JOIN webhook_endpoints e ON e.id = c.endpoint_id
             ORDER BY e.id
               FOR NO KEY UPDATE OF e) h
     WHERE w.id = h.id;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE webhook_endpoints w
       SET pending_count = w.pending_count - h.n, pending_bytes = w.pending_bytes - h.bytes
      FROM (SELECT e.id, c.n, c.bytes
              FROM (SELECT endpoint_id, count(*) AS n, sum(octet_length(body)) AS bytes
                      FROM old_rows WHERE status = 'pending' GROUP BY endpoint_id) c
              JOIN webhook_endpoints e ON e.id = c.endpoint_id
             ORDER BY e.id
               FOR NO KEY UPDATE OF e) h
     WHERE w.id = h.id;
  ELSE
    UPDATE webhook_endpoints w
       SET pending_count = w.pending_count + h.n, pending_bytes = w.pending_bytes + h.bytes
      FROM (SELECT e.id, c.n, c.bytes
              FROM (SELECT endpoint_id, sum(change) AS n, sum(change * octet_length(body)) AS bytes
                      FROM (SELECT endpoint_id, body, 1 AS change FROM new_rows WHERE status = 'pending'
                            UNION ALL
                            SELECT endpoint_id, body, -1 FROM old_rows WHERE status = 'pending') changes
                     GROUP BY endpoint_id
                    HAVING sum(change) <> 0) c
              JOIN webhook_endpoints e ON e.id = c.endpoint_id
             ORDER BY e.id
               FOR NO KEY UPDATE OF e) h
     WHERE w.id = h.id;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER keep_webhook_backlogs_insert AFTER INSERT ON webhook_deliveries
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_webhook_backlogs();
CREATE TRIGGER keep_webhook_backlogs_update AFTER UPDATE ON webhook_deliveries
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_webhook_backlogs();
CREATE TRIGGER keep_webhook_backlogs_delete AFTER DELETE ON webhook_deliveries
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_webhook_backlogs();

UPDATE webhook_endpoints w
   SET pending_count = c.n, pending_bytes = c.bytes
  FROM (SELECT endpoint_id, count(*) AS n, sum(octet_length(body)) AS bytes
          FROM webhook_deliveries WHERE status = 'pending' GROUP BY endpoint_id) c
 WHERE w.id = c.endpoint_id;

-- What counted the backlog before.
DROP INDEX webhook_deliveries_backlog;
