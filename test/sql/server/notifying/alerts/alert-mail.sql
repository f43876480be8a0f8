-- name: createAlertMailTask
DELETE FROM alert_emails
WHERE id = ANY($1::int8[]);
