-- name: findPreferences
SELECT time_zone, locale, hour_cycle, language
FROM users
WHERE id = $1::int;

-- name: storePreferences
UPDATE users
SET time_zone = $1, locale = $2, hour_cycle = $3, language = $4
WHERE id = $5::int
RETURNING time_zone, locale, hour_cycle, language;

-- name: storeDevice
UPDATE users
SET device_time_zone = $1, device_language = $2
WHERE id = $3::int;
