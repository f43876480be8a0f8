-- name: createReaderLogins
SELECT id, org_id, mqtt_username, secret_hash, format, mapping, publish_topic, more_topics, deleted_at IS NOT NULL AS is_deleted
FROM readers
WHERE mqtt_username = ANY ($1::text[])
AND deleted_at IS NULL;
