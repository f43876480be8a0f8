-- name: change
DELETE FROM outbound_pause;

-- name: change
INSERT INTO outbound_pause DEFAULT
VALUES ON CONFLICT DO NOTHING;
