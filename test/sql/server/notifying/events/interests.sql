-- name: createEventInterests
SELECT org_id, types, updated_at
FROM event_interests
WHERE updated_at > $1;
