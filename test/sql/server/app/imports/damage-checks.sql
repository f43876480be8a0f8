-- name: emptyNames
SELECT line
FROM staged
WHERE name = raw_name
ORDER BY line;

-- name: flawedTexts
SELECT line, field, left(text, $1::int) AS text, flaw
FROM (
  SELECT s.line, c.field, c.text, CASE WHEN c.text ~ '^(#[A-ZÀ-ÞĞİŞ/0]+[!?]|#N/[AD]|#NV|#YOK|#+|Err:[0-9]{3})$' THEN 'error'
    WHEN c.text ~ '^(NULL|\\N|[(<[]n(ull|il)[)>\]]|\[NULL\]|NaN|nan|undefined)$' THEN 'nothing'
    WHEN c.text ~ '[Â-ÅÐÑ][-¿€‚ƒ„†‡ˆ‰Š‹ŒŽ•˜™š›œžŸ]|Ã[–—…‘’“”]|â€|�' THEN 'letters'
    WHEN c.text ~* '^[0-9]([.,][0-9]+)?E[+][0-9]{2,3}$' THEN 'exponent' END AS flaw
  FROM staged s
  LEFT JOIN assets t ON t.org_id = $2
  AND t.id = s.id
  CROSS JOIN LATERAL (
    SELECT 'name' AS field, s.name AS text, t.name AS stored
    UNION ALL SELECT 'description', s.description, t.description
    UNION ALL SELECT 'kind', s.kind, (SELECT k.name FROM asset_kinds k WHERE k.org_id = $3 AND k.id = s.kind_id)
    UNION ALL SELECT 'detail:' || d.key, d.value, t.metadata ->> d.key
    FROM json_each_text(s.details) AS d
  ) c
  WHERE s.is_valid
  AND c.text IS DISTINCT FROM c.stored
  OFFSET 0
) found
WHERE flaw IS NOT NULL
ORDER BY line;

-- name: flawedTexts
SELECT line, field, left(text, $1::int) AS text, flaw
FROM (
  SELECT s.line, c.field, c.text, CASE WHEN c.text ~ '^(#[A-ZÀ-ÞĞİŞ/0]+[!?]|#N/[AD]|#NV|#YOK|#+|Err:[0-9]{3})$' THEN 'error'
    WHEN c.text ~ '^(NULL|\\N|[(<[]n(ull|il)[)>\]]|\[NULL\]|NaN|nan|undefined)$' THEN 'nothing'
    WHEN c.text ~ '[Â-ÅÐÑ][-¿€‚ƒ„†‡ˆ‰Š‹ŒŽ•˜™š›œžŸ]|Ã[–—…‘’“”]|â€|�' THEN 'letters'
    WHEN c.text ~* '^[0-9]([.,][0-9]+)?E[+][0-9]{2,3}$' THEN 'exponent' END AS flaw
  FROM staged s
  LEFT JOIN locations t ON t.org_id = $2
  AND t.id = s.id
  CROSS JOIN LATERAL (
    SELECT 'name' AS field, s.name AS text, t.name AS stored
    UNION ALL SELECT 'description', s.description, t.description
  ) c
  WHERE s.is_valid
  AND c.text IS DISTINCT FROM c.stored
  OFFSET 0
) found
WHERE flaw IS NOT NULL
ORDER BY line;

-- name: flawed
SELECT line, tag_type, value, flaw
FROM (
  SELECT g.line, g.ordinal, g.tag_type, g.value, CASE
    WHEN g.value ~* '^[+-]?([0-9]+E[+-][0-9]+|[0-9]*[.,\u066B][0-9]*E[+-]?[0-9]+)$' THEN 'exponent'
    WHEN g.value ~ '[\u00A0\u00AD\u061C\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800\u3164\uFEFF\uFFF9-\uFFFB]' THEN 'invisible' WHEN g.value ~ '^(#[A-ZÀ-ÞĞİŞ/0]+[!?]|#N/[AD]|#NV|#YOK|#+|Err:[0-9]{3})$' THEN 'error' WHEN g.value ~* '^(null|\\N|[(<[](null|nil)[)>\]]|nan|undefined|none|n/?a|-+|\?+)$' THEN 'nothing' WHEN g.tag_type = 'barcode'
  AND g.value ~ '^[*][^*]+[*]$' THEN 'asterisks' WHEN g.value ~ '^[0-9]+[.,]0+$' OR g.value ~ '^''[0-9]+$'
    OR g.value ~ '^[0-9]{1,3}([.,''\u2019][0-9]{3}){2,}$'
    OR (g.tag_type = 'barcode' AND g.value ~ '^([0-9]+( [0-9]+)+|97[89]-[0-9]+(-[0-9]+)+)$' AND length(translate(g.value, ' -',
    '')) IN (8, 12, 13, 14)) THEN 'number' WHEN g.value ~ '^[1-9][0-9]{14}0+$' THEN 'rounded'
    WHEN g.value ~ '^([0-9]{1,2}[-.] ?([Jj]an|[Ff]eb|[Mm]ar|[Aa]pr|[Mm]ay|[Jj]un|[Jj]ul|[Aa]ug|[Ss]ept?|[Oo]ct|[Nn]ov|[Dd]ec|[Mm]rz|[Mm]är|[Mm]ai|[Oo]kt|[Dd]ez|janv|févr|mars|avr|juin|juil|août|déc|gen|mag|giu|lug|ago|set|ott|dic|ene|abr|fev|out|mrt|mei|Oca|Şub|Nis|Haz|Tem|Ağu|Eyl|Eki|Kas|Ara)\.?|([Jj]an|[Ff]eb|[Mm]ar|[Aa]pr|[Mm]ay|[Jj]un|[Jj]ul|[Aa]ug|[Ss]ept?|[Oo]ct|[Nn]ov|[Dd]ec|[Mm]rz|[Mm]är|[Mm]ai|[Oo]kt|[Dd]ez|janv|févr|mars|avr|juin|juil|août|déc|gen|mag|giu|lug|ago|set|ott|dic|ene|abr|fev|out|mrt|mei|Oca|Şub|Nis|Haz|Tem|Ağu|Eyl|Eki|Kas|Ara)\.?[-. ] ?[0-9]{2}|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{4}|[0-9]{4}-[0-9]{2}-[0-9]{2})$' THEN 'date' WHEN g.value ~ '^(?=[^,;\s]*[0-9])[0-9A-Za-z:_-]{4,}((\s*[,;\r\n]\s*|\s+(?=[0-9A-Za-z:_-]{8}))(?=[^,;\s]*[0-9])[0-9A-Za-z:_-]{4,})+[,;\s]*$' THEN 'several' END AS flaw
  FROM (
    SELECT line, ordinal, tag_type, value
    FROM staged_tags
    WHERE is_new
    UNION ALL SELECT line, -1, NULL, external_key
    FROM staged
    WHERE id IS NULL
    AND external_key IS NOT NULL
  ) g
) found
WHERE flaw IS NOT NULL
ORDER BY line, ordinal;

-- name: zerosOfStored
SELECT s.line, 'external_key' AS column, s.external_key AS value, min(t.external_key) AS expected
FROM staged s
JOIN assets t ON t.org_id = $1
AND t.deleted_at IS NULL
AND ltrim(t.external_key, '0') = s.external_key
WHERE s.id IS NULL
AND s.external_key ~ '^[1-9][0-9]*$'
AND t.external_key LIKE '0%'
AND NOT EXISTS (SELECT FROM staged o WHERE o.external_key = t.external_key)
GROUP BY s.line, s.external_key
UNION ALL SELECT g.line, g.tag_type || '_tags', g.value, min(t.value)
FROM staged_tags g
JOIN tags t ON t.org_id = $2
AND t.deleted_at IS NULL
AND t.tag_type = g.tag_type
AND ltrim(t.value, '0') = g.value
WHERE g.is_new
AND g.value ~ '^[1-9][0-9]*$'
AND t.value LIKE '0%'
AND NOT EXISTS (SELECT FROM staged_tags o WHERE o.tag_type = t.tag_type AND o.value = t.value)
GROUP BY g.line, g.tag_type, g.value
ORDER BY line;

-- name: zerosOfStored
SELECT s.line, 'external_key' AS column, s.external_key AS value, min(t.external_key) AS expected
FROM staged s
JOIN locations t ON t.org_id = $1
AND t.deleted_at IS NULL
AND ltrim(t.external_key, '0') = s.external_key
WHERE s.id IS NULL
AND s.external_key ~ '^[1-9][0-9]*$'
AND t.external_key LIKE '0%'
AND NOT EXISTS (SELECT FROM staged o WHERE o.external_key = t.external_key)
GROUP BY s.line, s.external_key
UNION ALL SELECT g.line, g.tag_type || '_tags', g.value, min(t.value)
FROM staged_tags g
JOIN tags t ON t.org_id = $2
AND t.deleted_at IS NULL
AND t.tag_type = g.tag_type
AND ltrim(t.value, '0') = g.value
WHERE g.is_new
AND g.value ~ '^[1-9][0-9]*$'
AND t.value LIKE '0%'
AND NOT EXISTS (SELECT FROM staged_tags o WHERE o.tag_type = t.tag_type AND o.value = t.value)
GROUP BY g.line, g.tag_type, g.value
ORDER BY line;

-- name: zerosOfBarcodes
WITH numbers AS (
  SELECT g.line, g.value, length(g.value) AS digits, g.is_new, (
    SELECT sum(substr(g.value, n, 1)::int * CASE (length(g.value) - n) % 2 WHEN 0 THEN 1 ELSE 3 END)
    FROM generate_series(1, length(g.value)) AS n
  ) % 10 = 0 AS is_right
  FROM staged_tags g
  WHERE g.tag_type = 'barcode'
  AND g.value ~ '^[1-9]([0-9]{6}|[0-9]{9,10}|[0-9]{16})$'
),
typical AS (
  SELECT digits
  FROM numbers
  GROUP BY digits
  HAVING count(*) FILTER (WHERE is_right) * 2 > count(*)
)
SELECT line, 'barcode_tags' AS column, value, lpad(value, CASE digits WHEN 7 THEN 8 WHEN 17 THEN 18 ELSE 12 END, '0') AS expected
FROM numbers
WHERE is_new
AND is_right
AND digits IN (SELECT digits FROM typical)
ORDER BY line;

-- name: zerosOfColumns
WITH numbers AS (
  SELECT line, 'external_key' AS column, external_key AS value, id IS NULL AS is_new
  FROM staged
  WHERE external_key ~ '^[0-9]+$'
  UNION ALL SELECT line, tag_type || '_tags', value, is_new
  FROM staged_tags
  WHERE value ~ '^[0-9]+$'
),
lengths AS (
  SELECT n.column, length(value) AS digits, count(*) AS amount, min(value::numeric) AS low, max(value::numeric) AS high
  FROM numbers n
  GROUP BY n.column, length(value)
),
columns AS (
  SELECT l.column, (array_agg(digits ORDER BY amount DESC, digits DESC))[1] AS usual, max(amount) AS usual_amount,
    sum(amount) AS amount, max(high) - min(low) AS range
  FROM lengths l
  GROUP BY l.column
)
SELECT n.line, n.column, n.value, lpad(n.value, c.usual, '0') AS expected
FROM numbers n
JOIN columns c ON c.column = n.column
WHERE n.is_new
AND length(n.value) < c.usual
AND n.value LIKE ANY (ARRAY['1%', '2%', '3%', '4%', '5%', '6%', '7%', '8%', '9%'])
AND c.usual >= 4
AND c.usual_amount >= 2
AND c.usual_amount * 3 >= c.amount * 2
AND c.range > c.amount * 10
ORDER BY n.line;
