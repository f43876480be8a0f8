-- name: distinctTexts
WITH RECURSIVE found AS ((
  SELECT v.value AS text
  FROM metadata_values v
  WHERE v.org_id = $1
  AND v.key = $2
  AND v.value >= $3
  AND v.value < $4
  ORDER BY v.value
  LIMIT 1
) UNION ALL SELECT (
  SELECT v.value
  FROM metadata_values v
  WHERE v.org_id = $5
  AND v.key = $6
  AND v.value >= $7
  AND v.value < $8
  AND v.value > found.text
  ORDER BY v.value
  LIMIT 1
) FROM found WHERE found.text IS NOT NULL)
SELECT text
FROM found
WHERE text IS NOT NULL
LIMIT $9;

-- name: distinctTexts
WITH RECURSIVE found AS ((SELECT v.key AS text FROM metadata_values v WHERE v.org_id = $1 ORDER BY v.key LIMIT 1) UNION ALL SELECT (
  SELECT v.key
  FROM metadata_values v
  WHERE v.org_id = $2
  AND v.key > found.text
  ORDER BY v.key
  LIMIT 1
) FROM found WHERE found.text IS NOT NULL)
SELECT text
FROM found
WHERE text IS NOT NULL
LIMIT $3;
