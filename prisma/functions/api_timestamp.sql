-- Formats an instant as the public API does: `YYYY-MM-DDTHH:MM:SS.mmmZ` in UTC. Null stays null.
CREATE OR REPLACE FUNCTION api_timestamp(at timestamptz) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE STRICT
  RETURN to_char($1 AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
