-- name: ensureAntennaQuota
SELECT pg_advisory_xact_lock($1::int, $2::int)::text;

-- name: ensureAntennaQuota
SELECT count(*) FILTER (WHERE r.id = $1::int)::int AS own, count(*) FILTER (WHERE r.id <> $2::int)::int AS others
FROM readers r
JOIN reader_antennas a ON a.reader_id = r.id
WHERE r.org_id = $3
AND r.deleted_at IS NULL;

-- name: removeDeletedReaders
DELETE FROM readers
WHERE deleted_at < clock_timestamp() - make_interval(days => $1::int + 1) OR last_message_at IS NULL
AND deleted_at < clock_timestamp() - interval '1 day';
