-- name: unknownOwnLocations
SELECT s.line, s.belongs_to AS text, s.belongs_to_found AS found
FROM staged s
WHERE s.is_valid
AND s.belongs_to IS NOT NULL
AND s.belongs_to_found <> 1
ORDER BY s.line;
