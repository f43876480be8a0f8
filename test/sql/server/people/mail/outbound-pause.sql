-- name: readOutboundPause
SELECT EXISTS (SELECT FROM outbound_pause) AS paused;
