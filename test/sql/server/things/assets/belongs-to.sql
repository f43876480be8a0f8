-- name: setBelongsTo
SELECT (SELECT set_config('whereabouts.author', $1, true)) IS NOT NULL;
