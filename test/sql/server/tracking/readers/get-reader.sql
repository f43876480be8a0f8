-- name: listHeardPorts
SELECT DISTINCT a.port
FROM location_pictures p
CROSS JOIN jsonb_to_recordset(p.antennas) AS a (reader int, port int)
WHERE p.org_id = $1
AND a.reader = $2
ORDER BY a.port;
