-- name: effectiveRetention
INSERT INTO event_retention AS r (id, days)
VALUES (1, $1::int) ON CONFLICT (id) DO UPDATE
SET days = CASE WHEN $2::int >= r.days OR r.next_days = $3::int
AND r.effective_at <= clock_timestamp() THEN $4::int ELSE r.days END, effective_at = CASE WHEN $5::int >= r.days
  OR r.next_days = $6::int
AND r.effective_at <= clock_timestamp() THEN NULL WHEN r.next_days = $7::int THEN r.effective_at
  ELSE clock_timestamp() + make_interval(hours => $8::int) END, next_days = CASE WHEN $9::int >= r.days OR r.next_days = $10::int
AND r.effective_at <= clock_timestamp() THEN NULL ELSE $11::int END
RETURNING days, to_char(effective_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS effective_at,
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms;
