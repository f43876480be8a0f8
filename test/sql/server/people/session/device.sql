-- name: devicePerson
SELECT round(date_part('epoch', email_proven_at) * 1000) AS proven_at
FROM users
WHERE email = $1
AND email_proven_at IS NOT NULL;
