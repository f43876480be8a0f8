-- Returns the public view of an asset for an outbound event. `metadata` above 32 KiB is null, which bounds the event.
CREATE OR REPLACE FUNCTION asset_event_view(a assets, tags json) RETURNS json
  LANGUAGE sql STABLE
  RETURN json_build_object(
    'id', (a).id, 'external_key', (a).external_key, 'name', (a).name, 'description', (a).description,
    'is_active', (a).is_active,
    'metadata', CASE WHEN octet_length((a).metadata::text) <= 32768 THEN (a).metadata END,
    'valid_from', api_timestamp((a).valid_from), 'valid_to', api_timestamp((a).valid_to),
    'created_at', api_timestamp((a).created_at), 'updated_at', api_timestamp((a).updated_at),
    'deleted_at', api_timestamp((a).deleted_at), 'tags', tags);
