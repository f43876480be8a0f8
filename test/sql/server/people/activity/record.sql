-- name: recordChange
INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, batch_id, before, after)
VALUES ($1::int, date_trunc('milliseconds', clock_timestamp()), $2, $3, $4, $5, $6, $7, $8::uuid, $9::json, $10::json);
