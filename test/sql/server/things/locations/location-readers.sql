-- name: listReadersAt
SELECT r.id, r.name, coalesce(r.location_id = $1, false) AS is_own,
  coalesce(array_agg(a.port ORDER BY a.port) FILTER (WHERE a.port IS NOT NULL), '{}') AS antennas,
  api_timestamp(r.last_message_at) AS last_message_at
FROM readers r
LEFT JOIN reader_antennas a ON a.reader_id = r.id
AND a.org_id = $2
AND a.location_id = $3
WHERE r.org_id = $4
AND r.deleted_at IS NULL
GROUP BY r.id
HAVING r.location_id = $5 OR count(a.port) > 0
ORDER BY r.name COLLATE natural_order, r.id;
