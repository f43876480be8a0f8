-- name: listSignatures
SELECT r.id AS reader_id, r.name AS reader_name, a.port AS antenna, round(-a.sum_db / a.visits, 1)::float8 AS below_loudest_db,
  greatest(1, round(a.visits))::int AS visits
FROM location_pictures p
CROSS JOIN jsonb_to_recordset(p.antennas) AS a (reader int, port int, visits numeric, sum_db numeric)
JOIN readers r ON r.org_id = p.org_id
AND r.id = a.reader
AND r.deleted_at IS NULL
WHERE p.org_id = $1
AND p.location_id = $2
AND a.visits > 0
ORDER BY below_loudest_db, reader_id, antenna;
