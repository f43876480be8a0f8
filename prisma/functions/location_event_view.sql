-- Returns the public view of a location for an outbound event.
CREATE OR REPLACE FUNCTION location_event_view(l locations, tags json) RETURNS json
  LANGUAGE sql STABLE
  RETURN json_build_object(
    'id', (l).id, 'external_key', (l).external_key, 'name', (l).name, 'description', (l).description,
    'parent_id', (l).parent_id,
    'parent_external_key', (SELECT p.external_key FROM locations p WHERE p.org_id = (l).org_id AND p.id = (l).parent_id),
    'is_active', (l).is_active,
    'valid_from', api_timestamp((l).valid_from), 'valid_to', api_timestamp((l).valid_to),
    'created_at', api_timestamp((l).created_at), 'updated_at', api_timestamp((l).updated_at),
    'deleted_at', api_timestamp((l).deleted_at), 'tags', tags);
