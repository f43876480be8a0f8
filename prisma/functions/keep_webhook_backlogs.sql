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
