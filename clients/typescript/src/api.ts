// Written by `npm run client` from the description of the API. Changes to this file are overwritten.

export type OrgResponse = {
  data: OrgView;
};

export type AssetListResponse = {
  /** The requested data. */
  data: readonly AssetView[];
  /** The page size. */
  limit: number;
  /** The number of rows before this page. */
  offset: number;
  /** The number of rows on all pages. */
  total_count: number;
};

export type CreateAssetRequest = {
  /** The display name. No control characters, no white space at the ends. */
  name: string;
  /** Your own key. Defaults to the lowest free key of the series. Letters, digits and hyphens only. */
  external_key?: string;
  /** Free text, one or more lines. No control characters other than tab, LF and CR. */
  description?: string | null;
  /** A flag for your own use. It does not affect tracking. Defaults to true. */
  is_active?: boolean;
  /** Any JSON object. Numbers are IEEE 754 doubles. An integer that a double cannot represent exactly is rejected; send it as a string. At most 16384 bytes as compact JSON in UTF-8. Defaults to an empty object. */
  metadata?: Readonly<Record<string, unknown>>;
  /** Lists include it from this time on. Defaults to now. */
  valid_from?: string;
  /** Lists exclude it from this time on; null for no end. */
  valid_to?: string | null;
  /** Tags to attach. If one of them cannot be attached, nothing is created. */
  tags?: readonly TagRequest[] | null;
};

export type AssetResponse = {
  data: AssetView;
};

export type UpdateAssetRequest = {
  /** The display name. No control characters, no white space at the ends. */
  name?: string;
  /** Free text, one or more lines. No control characters other than tab, LF and CR. */
  description?: string | null;
  /** A flag for your own use. It does not affect tracking. */
  is_active?: boolean;
  /** Any JSON object. Numbers are IEEE 754 doubles. An integer that a double cannot represent exactly is rejected; send it as a string. At most 16384 bytes as compact JSON in UTF-8. It replaces the stored one as a whole. */
  metadata?: Readonly<Record<string, unknown>>;
  /** Lists include it from this time on. */
  valid_from?: string;
  /** Lists exclude it from this time on; null for no end. */
  valid_to?: string | null;
  /** Accepted if it equals the stored value. */
  id?: number;
  /** Accepted if it equals the stored value; the rename operation changes it. Letters, digits and hyphens only. */
  external_key?: string;
  /** Accepted if it equals the stored value. */
  created_at?: string;
  /** Accepted if it equals the stored value; otherwise the row was changed since, and the patch is rejected. */
  updated_at?: string;
  /** Accepted if it equals the stored value; deleting has its own operation. */
  deleted_at?: string | null;
  /** Accepted if they are the attached tags, in any order; attaching and detaching have their own operations. */
  tags?: readonly Tag[];
};

export type RenameAssetRequest = {
  /** The new key. Letters, digits and hyphens only. */
  external_key: string;
};

export type AssetRenameResponse = {
  data: AssetView;
  /** Nothing is below an asset. */
  descendant_count_affected: number;
};

export type AssetHistoryResponse = {
  /** The requested data. */
  data: readonly AssetHistoryItem[];
  /** The page size. */
  limit: number;
  /** The number of rows before this page. */
  offset: number;
  /** The number of rows on all pages. */
  total_count: number;
};

export type LocationListResponse = {
  /** The requested data. */
  data: readonly LocationView[];
  /** The page size. */
  limit: number;
  /** The number of rows before this page. */
  offset: number;
  /** The number of rows on all pages. */
  total_count: number;
};

export type CreateLocationRequest = {
  /** The display name. No control characters, no white space at the ends. */
  name: string;
  /** Your own key. Defaults to the lowest free key of the series. Letters, digits and hyphens only. */
  external_key?: string;
  /** Free text, one or more lines. No control characters other than tab, LF and CR. */
  description?: string | null;
  /** A flag for your own use. It does not affect tracking. Defaults to true. */
  is_active?: boolean;
  /** The location directly above; null for a top-level location. */
  parent_id?: number | null;
  /** The key of the location directly above; null for a top-level location. Either this or `parent_id`, or both if they agree. Letters, digits and hyphens only. */
  parent_external_key?: string | null;
  /** Lists include it from this time on. Defaults to now. */
  valid_from?: string;
  /** Lists exclude it from this time on; null for no end. */
  valid_to?: string | null;
  /** Tags to attach. If one of them cannot be attached, nothing is created. */
  tags?: readonly TagRequest[] | null;
};

export type LocationResponse = {
  data: LocationView;
};

export type UpdateLocationRequest = {
  /** The display name. No control characters, no white space at the ends. */
  name?: string;
  /** Free text, one or more lines. No control characters other than tab, LF and CR. */
  description?: string | null;
  /** A flag for your own use. It does not affect tracking. */
  is_active?: boolean;
  /** The location directly above; null for a top-level location. */
  parent_id?: number | null;
  /** The key of the location directly above; null for a top-level location. Either this or `parent_id`, or both if they agree. Letters, digits and hyphens only. */
  parent_external_key?: string | null;
  /** Lists include it from this time on. */
  valid_from?: string;
  /** Lists exclude it from this time on; null for no end. */
  valid_to?: string | null;
  /** Accepted if it equals the stored value. */
  id?: number;
  /** Accepted if it equals the stored value; the rename operation changes it. Letters, digits and hyphens only. */
  external_key?: string;
  /** Accepted if it equals the stored value. */
  created_at?: string;
  /** Accepted if it equals the stored value; otherwise the row was changed since, and the patch is rejected. */
  updated_at?: string;
  /** Accepted if it equals the stored value; deleting has its own operation. */
  deleted_at?: string | null;
  /** Accepted if they are the attached tags, in any order; attaching and detaching have their own operations. */
  tags?: readonly Tag[];
};

export type RenameLocationRequest = {
  /** The new key. Letters, digits and hyphens only. */
  external_key: string;
};

export type LocationRenameResponse = {
  data: LocationView;
  /** How many live locations are below the renamed one. */
  descendant_count_affected: number;
};

export type TagRequest = {
  /** The technology of the tag. */
  tag_type: 'rfid' | 'ble' | 'barcode';
  /** The value that is read: an EPC, a MAC address or a barcode. No control characters other than tab, LF and CR. */
  value: string;
};

export type TagResponse = {
  data: Tag;
};

export type AssetLocationListResponse = {
  /** The requested data. */
  data: readonly AssetLocationItem[];
  /** The page size. */
  limit: number;
  /** The number of rows before this page. */
  offset: number;
  /** The number of rows on all pages. */
  total_count: number;
};

export type OrgView = {
  /** Assigned by the service; never changes. */
  id: number;
  /** The name of the organization. */
  name: string;
  /** The scopes of the key. */
  scopes: readonly string[];
  /** The id of the key, which is the `sub` of its token. */
  api_key_id: string;
};

export type AssetView = {
  /** Assigned by the service; never changes. */
  id: number;
  /** Your own key. It is unique among undeleted resources of a kind and case-sensitive. */
  external_key: string;
  /** The display name. */
  name: string;
  /** Free text, one or more lines. */
  description: string | null;
  /** A flag for your own use. It does not affect tracking. */
  is_active: boolean;
  /** Any JSON object. Numbers are IEEE 754 doubles. An integer that a double cannot represent exactly is rejected; send it as a string. At most 16384 bytes as compact JSON in UTF-8. */
  metadata: Readonly<Record<string, unknown>>;
  /** Lists include it from this time on. */
  valid_from: string;
  /** Lists exclude it from this time on; null for no end. */
  valid_to: string | null;
  /** When it was created. */
  created_at: string;
  /** When it was last changed. Send it with a patch to detect a concurrent change. */
  updated_at: string;
  /** When it was deleted; null while it is live. */
  deleted_at: string | null;
  /** The tags attached to it. */
  tags: readonly Tag[];
};

export type Tag = {
  /** Assigned by the service; never changes. */
  id: number;
  /** The technology of the tag: `rfid`, `ble` or `barcode`; later releases may add others. */
  tag_type: string;
  /** The value that is read: an EPC, a MAC address or a barcode. */
  value: string;
};

export type AssetHistoryItem = {
  /** When the asset was seen. */
  event_observed_at: string;
  /** Where it was seen; null where the reader had no location. */
  location_id: number | null;
  /** The key of that location; null without a location, or once it is deleted. */
  location_external_key: string | null;
  /** How long until the asset was seen again, in whole seconds; null on the newest row between `from` and `to`. */
  duration_seconds: number | null;
};

export type LocationView = {
  /** Assigned by the service; never changes. */
  id: number;
  /** Your own key. It is unique among undeleted resources of a kind and case-sensitive. */
  external_key: string;
  /** The display name. */
  name: string;
  /** Free text, one or more lines. */
  description: string | null;
  /** The location directly above; null for a top-level location. */
  parent_id: number | null;
  /** The key of the location directly above; null for a top-level location. */
  parent_external_key: string | null;
  /** A flag for your own use. It does not affect tracking. */
  is_active: boolean;
  /** Lists include it from this time on. */
  valid_from: string;
  /** Lists exclude it from this time on; null for no end. */
  valid_to: string | null;
  /** When it was created. */
  created_at: string;
  /** When it was last changed. Send it with a patch to detect a concurrent change. */
  updated_at: string;
  /** When it was deleted; null while it is live. */
  deleted_at: string | null;
  /** The tags attached to it. */
  tags: readonly Tag[];
};

export type AssetLocationItem = {
  /** The asset that was seen. */
  asset_id: number;
  /** The key of that asset. */
  asset_external_key: string;
  /** Where it was seen; null where the reader had no location. */
  location_id: number | null;
  /** The key of that location; null without a location, or once it is deleted. */
  location_external_key: string | null;
  /** When a reader saw the asset last. */
  asset_last_seen: string;
  /** When the asset was deleted; null while it is live. */
  asset_deleted_at: string | null;
};

/** What every answer other than a success or a redirect holds. */
export type ErrorResponse = {
  error: ErrorEnvelope;
};

/** Why the request was refused. */
export type ErrorEnvelope = {
  type: ErrorType;
  /** Heading of the type, always the same for one type. */
  title: string;
  /** The HTTP status once more. */
  status: number;
  /** What happened this time, for people. */
  detail: string;
  /** The path that was asked for. */
  instance: string;
  /** The `X-Request-ID` of the answer. */
  request_id: string;
  /** What is wrong with the input, field by field; only with `validation_error`. */
  fields?: readonly FieldError[];
};

/** Names the kind of error for programs. Later releases may add values: fall back on the status. */
export type ErrorType = 'validation_error' | 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'missing_org_context' | 'rate_limited' | 'service_unavailable' | 'internal_error' | (string & {});

/** What is wrong with one field. */
export type FieldError = {
  /** The JSON key or the name of the parameter. */
  field: string;
  code: FieldErrorCode;
  /** What is wrong, for people. */
  message: string;
  /** The figures of the rule that was broken, such as `max_length`, by name. */
  params?: Readonly<Record<string, unknown>>;
};

/** Names the rule that was broken. Later releases may add values: treat those as `invalid_value`. */
export type FieldErrorCode = 'required' | 'invalid_value' | 'unknown_field' | 'invalid_context' | 'too_short' | 'too_long' | 'too_small' | 'too_large' | 'fk_not_found' | 'ambiguous_fields' | 'read_only' | (string & {});

/** Method and path of each operation, by its id in the description. */
export const operations = {
  getCurrentOrg: { method: 'GET', path: '/api/v1/orgs/me' },
  listAssets: { method: 'GET', path: '/api/v1/assets' },
  createAsset: { method: 'POST', path: '/api/v1/assets', contentType: 'application/json' },
  getAsset: { method: 'GET', path: '/api/v1/assets/{asset_id}' },
  updateAsset: { method: 'PATCH', path: '/api/v1/assets/{asset_id}', contentType: 'application/merge-patch+json' },
  deleteAsset: { method: 'DELETE', path: '/api/v1/assets/{asset_id}' },
  renameAsset: { method: 'POST', path: '/api/v1/assets/{asset_id}/rename', contentType: 'application/json' },
  listAssetHistory: { method: 'GET', path: '/api/v1/assets/{asset_id}/history' },
  listLocations: { method: 'GET', path: '/api/v1/locations' },
  createLocation: { method: 'POST', path: '/api/v1/locations', contentType: 'application/json' },
  getLocation: { method: 'GET', path: '/api/v1/locations/{location_id}' },
  updateLocation: { method: 'PATCH', path: '/api/v1/locations/{location_id}', contentType: 'application/merge-patch+json' },
  deleteLocation: { method: 'DELETE', path: '/api/v1/locations/{location_id}' },
  renameLocation: { method: 'POST', path: '/api/v1/locations/{location_id}/rename', contentType: 'application/json' },
  listLocationAncestors: { method: 'GET', path: '/api/v1/locations/{location_id}/ancestors' },
  listLocationChildren: { method: 'GET', path: '/api/v1/locations/{location_id}/children' },
  listLocationDescendants: { method: 'GET', path: '/api/v1/locations/{location_id}/descendants' },
  addAssetTag: { method: 'POST', path: '/api/v1/assets/{asset_id}/tags', contentType: 'application/json' },
  removeAssetTag: { method: 'DELETE', path: '/api/v1/assets/{asset_id}/tags/{tag_id}' },
  addLocationTag: { method: 'POST', path: '/api/v1/locations/{location_id}/tags', contentType: 'application/json' },
  removeLocationTag: { method: 'DELETE', path: '/api/v1/locations/{location_id}/tags/{tag_id}' },
  listAssetLocations: { method: 'GET', path: '/api/v1/reports/asset-locations' },
} as const;

/** Input and output of each operation, by its id in the description. */
export type Operations = {
  /** Get the organization of the API key. Returns the organization and the scopes of the API key. */
  getCurrentOrg: {
    input: {};
    output: OrgResponse;
  };
  /** List assets. Lists the assets that are effective now. Look one up by its key; an unknown key returns an empty list. */
  listAssets: {
    input: {
      query?: {
        /** The key; case-sensitive. Letters, digits and hyphens only. Repeat it to match any of several values. */
        external_key?: readonly string[];
        /** Only rows with this value. */
        is_active?: boolean;
        /** Text to search for in names, keys, descriptions and tag values; not case-sensitive. No control characters. */
        q?: string;
        /** Whether to include deleted rows. */
        include_deleted?: boolean;
        /** The maximum number of rows on a page. */
        limit?: number;
        /** The number of rows to skip. */
        offset?: number;
        /** The order; equal rows are ordered by id. Comma-separated fields, each with an optional leading minus for descending: external_key, name, created_at, updated_at. */
        sort?: string;
      };
    };
    output: AssetListResponse;
  };
  /** Create an asset. Creates an asset and attaches its tags, all of it or nothing. */
  createAsset: {
    input: {
      body: CreateAssetRequest;
    };
    output: AssetResponse;
  };
  /** Read an asset. Returns an asset that is not deleted, whatever its effective dates. Its location is in the report of asset locations. */
  getAsset: {
    input: {
      path: {
        /** The id of the asset. */
        asset_id: number;
      };
    };
    output: AssetResponse;
  };
  /** Change an asset. Applies a JSON merge patch. Omitted fields are unchanged; null clears a field. Read-only fields may be sent back with their current values. */
  updateAsset: {
    input: {
      path: {
        /** The id of the asset. */
        asset_id: number;
      };
      body: UpdateAssetRequest;
    };
    output: AssetResponse;
  };
  /** Delete an asset. Deletes the asset and frees its key and its tags; lists omit it unless `include_deleted` is true. */
  deleteAsset: {
    input: {
      path: {
        /** The id of the asset. */
        asset_id: number;
      };
    };
    output: undefined;
  };
  /** Rename an asset. Gives the asset another key. The key it has already is accepted and changes nothing. */
  renameAsset: {
    input: {
      path: {
        /** The id of the asset. */
        asset_id: number;
      };
      body: RenameAssetRequest;
    };
    output: AssetRenameResponse;
  };
  /** Read where an asset was seen. Lists the sightings of an asset, by default newest first. Repeated reads at one location add at most one row per deduplication window. */
  listAssetHistory: {
    input: {
      path: {
        /** The id of the asset. */
        asset_id: number;
      };
      query?: {
        /** The earliest time to include. */
        from?: string;
        /** The latest time to include. */
        to?: string;
        /** The maximum number of rows on a page. */
        limit?: number;
        /** The number of rows to skip. */
        offset?: number;
        /** The order; equal rows are ordered by id. Comma-separated fields, each with an optional leading minus for descending: event_observed_at. */
        sort?: string;
      };
    };
    output: AssetHistoryResponse;
  };
  /** List locations. Lists the locations that are effective now. With a parent, only those directly below it. */
  listLocations: {
    input: {
      query?: {
        /** The key; case-sensitive. Letters, digits and hyphens only. Repeat it to match any of several values. */
        external_key?: readonly string[];
        /** The location directly above. Not together with `parent_external_key`. */
        parent_id?: number;
        /** The key of the location directly above. Not together with `parent_id`. Letters, digits and hyphens only. */
        parent_external_key?: string;
        /** Only rows with this value. */
        is_active?: boolean;
        /** Text to search for in names, keys, descriptions and tag values; not case-sensitive. No control characters. */
        q?: string;
        /** Whether to include deleted rows. */
        include_deleted?: boolean;
        /** The maximum number of rows on a page. */
        limit?: number;
        /** The number of rows to skip. */
        offset?: number;
        /** The order; equal rows are ordered by id. Comma-separated fields, each with an optional leading minus for descending: external_key, name, created_at. */
        sort?: string;
      };
    };
    output: LocationListResponse;
  };
  /** Create a location. Creates a location below another or at the top of the tree, and attaches its tags, all of it or nothing. */
  createLocation: {
    input: {
      body: CreateLocationRequest;
    };
    output: LocationResponse;
  };
  /** Read a location. Returns a location that is not deleted, whatever its effective dates. */
  getLocation: {
    input: {
      path: {
        /** The id of the location. */
        location_id: number;
      };
    };
    output: LocationResponse;
  };
  /** Change or move a location. Applies a JSON merge patch. Omitted fields are unchanged; null clears a field. Read-only fields may be sent back with their current values. Another parent moves the location with everything below it, but never below itself. */
  updateLocation: {
    input: {
      path: {
        /** The id of the location. */
        location_id: number;
      };
      body: UpdateLocationRequest;
    };
    output: LocationResponse;
  };
  /** Delete a location. Deletes the location and frees its key and its tags; lists omit it unless `include_deleted` is true. A location with live locations below it or live assets in it cannot be deleted. */
  deleteLocation: {
    input: {
      path: {
        /** The id of the location. */
        location_id: number;
      };
    };
    output: undefined;
  };
  /** Rename a location. Gives the location another key and counts the live locations below it. The key it has already is accepted and changes nothing. */
  renameLocation: {
    input: {
      path: {
        /** The id of the location. */
        location_id: number;
      };
      body: RenameLocationRequest;
    };
    output: LocationRenameResponse;
  };
  /** List the ancestors of a location. Pages from the top of the tree down to the parent. */
  listLocationAncestors: {
    input: {
      path: {
        /** The id of the location. */
        location_id: number;
      };
      query?: {
        /** The maximum number of rows on a page. */
        limit?: number;
        /** The number of rows to skip. */
        offset?: number;
      };
    };
    output: LocationListResponse;
  };
  /** List the children of a location. Pages through the locations directly below, by name. */
  listLocationChildren: {
    input: {
      path: {
        /** The id of the location. */
        location_id: number;
      };
      query?: {
        /** The maximum number of rows on a page. */
        limit?: number;
        /** The number of rows to skip. */
        offset?: number;
      };
    };
    output: LocationListResponse;
  };
  /** List the descendants of a location. Pages through everything below, each location ahead of those below it. */
  listLocationDescendants: {
    input: {
      path: {
        /** The id of the location. */
        location_id: number;
      };
      query?: {
        /** The maximum number of rows on a page. */
        limit?: number;
        /** The number of rows to skip. */
        offset?: number;
      };
    };
    output: LocationListResponse;
  };
  /** Attach a tag to an asset. Attaches a tag. A pair of type and value is on one thing at a time, anywhere in the organization. An asset has at most 100 tags. */
  addAssetTag: {
    input: {
      path: {
        /** The id of the asset. */
        asset_id: number;
      };
      body: TagRequest;
    };
    output: TagResponse;
  };
  /** Detach a tag from an asset. Detaches a tag, which can then be attached to something else. */
  removeAssetTag: {
    input: {
      path: {
        /** The id of the asset. */
        asset_id: number;
        /** The id of the tag. */
        tag_id: number;
      };
    };
    output: undefined;
  };
  /** Attach a tag to a location. Attaches a tag. A pair of type and value is on one thing at a time, anywhere in the organization. A location has at most 100 tags. */
  addLocationTag: {
    input: {
      path: {
        /** The id of the location. */
        location_id: number;
      };
      body: TagRequest;
    };
    output: TagResponse;
  };
  /** Detach a tag from a location. Detaches a tag, which can then be attached to something else. */
  removeLocationTag: {
    input: {
      path: {
        /** The id of the location. */
        location_id: number;
        /** The id of the tag. */
        tag_id: number;
      };
    };
    output: undefined;
  };
  /** Report where assets are. Lists the assets that were ever seen, each with its location and the time at which it was seen last. */
  listAssetLocations: {
    input: {
      query?: {
        /** The id of the asset. Not together with `asset_external_key`. Repeat it to match any of several values. */
        asset_id?: readonly number[];
        /** The key of the asset. Not together with `asset_id`. Letters, digits and hyphens only. Repeat it to match any of several values. */
        asset_external_key?: readonly string[];
        /** The id of the location. Not together with `location_external_key`. Repeat it to match any of several values. */
        location_id?: readonly number[];
        /** The key of the location. Not together with `location_id`. Letters, digits and hyphens only. Repeat it to match any of several values. */
        location_external_key?: readonly string[];
        /** Whether to include deleted rows. */
        include_deleted?: boolean;
        /** The maximum number of rows on a page. */
        limit?: number;
        /** The number of rows to skip. */
        offset?: number;
        /** The order; equal rows are ordered by id. Comma-separated fields, each with an optional leading minus for descending: asset_last_seen, asset_external_key, location_external_key. */
        sort?: string;
      };
    };
    output: AssetLocationListResponse;
  };
};
