-- name: recognizeReaderFormat
SELECT CASE WHEN recognized_format <> format THEN recognized_format END AS format, CASE 
  HEN recognized_format <> format THEN round(date_part('epoch', recognized_at) * 1000) END AS recognized_at
FROM readers
WHERE org_id = $1
AND id = $2
AND deleted_at IS NULL;
