-- name: findMailPerson
SELECT coalesce(u.time_zone, u.device_time_zone) AS time_zone, u.locale, u.hour_cycle, coalesce(u.language,
  u.device_language) AS language
FROM users u
WHERE u.id = $1::int;

-- name: findMailPersonOf
SELECT coalesce(u.time_zone, u.device_time_zone) AS time_zone, u.locale, u.hour_cycle, coalesce(u.language,
  u.device_language) AS language
FROM users u
WHERE u.email = $1
AND coalesce(u.language, u.device_language) IS NOT NULL;
