-- Trigger on `webhook_deliveries`, after each statement. Keeps three columns of `webhook_endpoints`: `pending_count` and
-- `pending_bytes`, the deliveries of an endpoint that are not done and the bytes of their bodies, and `log_bytes`, the bytes of
-- the bodies and answers of all its deliveries. Endpoints are locked in the order of their ids, which prevents deadlocks.
CREATE OR REPLACE FUNCTION keep_webhook_backlogs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE webhook_endpoints w
       SET pending_count = w.pending_count + h.n, pending_bytes = w.pending_bytes + h.bytes, log_bytes = w.log_bytes + h.stored
      FROM (SELECT e.id, c.n, c.bytes, c.stored
              FROM (SELECT endpoint_id, count(*) FILTER (WHERE status = 'pending') AS n,
                           coalesce(sum(octet_length(body)) FILTER (WHERE status = 'pending'), 0) AS bytes,
                           sum(octet_length(body) + answer_bytes) AS stored
                      FROM new_rows GROUP BY endpoint_id) c
              JOIN webhook_endpoints e ON e.id = c.endpoint_id
             ORDER BY e.id
               FOR NO KEY UPDATE OF e) h
     WHERE w.id = h.id;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE webhook_endpoints w
       SET pending_count = w.pending_count - h.n, pending_bytes = w.pending_bytes - h.bytes, log_bytes = w.log_bytes - h.stored
      FROM (SELECT e.id, c.n, c.bytes, c.stored
              FROM (SELECT endpoint_id, count(*) FILTER (WHERE status = 'pending') AS n,
                           coalesce(sum(octet_length(body)) FILTER (WHERE status = 'pending'), 0) AS bytes,
                           sum(octet_length(body) + answer_bytes) AS stored
                      FROM old_rows GROUP BY endpoint_id) c
              JOIN webhook_endpoints e ON e.id = c.endpoint_id
             ORDER BY e.id
               FOR NO KEY UPDATE OF e) h
     WHERE w.id = h.id;
  ELSE
    UPDATE webhook_endpoints w
       SET pending_count = w.pending_count + h.n, pending_bytes = w.pending_bytes + h.bytes, log_bytes = w.log_bytes + h.stored
      FROM (SELECT e.id, c.n, c.bytes, c.stored
              FROM (SELECT endpoint_id, coalesce(sum(change) FILTER (WHERE status = 'pending'), 0) AS n,
                           coalesce(sum(change * octet_length(body)) FILTER (WHERE status = 'pending'), 0) AS bytes,
                           sum(change * (octet_length(body) + answer_bytes)) AS stored
                      FROM (SELECT endpoint_id, status, body, answer_bytes, 1 AS change FROM new_rows
                            UNION ALL
                            SELECT endpoint_id, status, body, answer_bytes, -1 FROM old_rows) changes
                     GROUP BY endpoint_id) c
              JOIN webhook_endpoints e ON e.id = c.endpoint_id
             WHERE c.n <> 0 OR c.stored <> 0
             ORDER BY e.id
               FOR NO KEY UPDATE OF e) h
     WHERE w.id = h.id;
  END IF;
  RETURN NULL;
END
$$;
