-- name: wakeRouting
SELECT EXISTS (SELECT FROM outbox_events) AS waits;
