// The texts of fields and parameters in the description. A field without one stops the start, so that a new one gets
// its text.

/** The groups of operations. */
export const tagWords: Record<string, string> = {
  orgs: 'The organization that the API key belongs to.',
  assets: 'Assets of the organization, and the tags attached to them.',
  locations: 'Locations as a tree, and the tags attached to them.',
  tracking: 'Current and past locations of assets.',
};

const tagValue = 'The value that is read: an EPC, a MAC address or a barcode.';

const shared = {
  name: 'The display name.',
  description: 'Free text, one or more lines.',
  is_active: 'A flag for your own use. It does not affect tracking.',
  metadata:
    'Any JSON object. Numbers are IEEE 754 doubles. An integer that a double cannot represent exactly is rejected; send it as a string. At most 16384 bytes as compact JSON in UTF-8.',
  valid_from: 'Lists include it from this time on.',
  valid_to: 'Lists exclude it from this time on; null for no end.',
  parent_id: 'The location directly above; null for a top-level location.',
  parent_external_key: 'The key of the location directly above; null for a top-level location.',
};

/** Texts of response fields, by name, or by schema and name if the name alone is ambiguous. */
export const readWords: Record<string, string> = {
  ...shared,
  id: 'Assigned by the service; never changes.',
  external_key: 'Your own key. It is unique among undeleted resources of a kind and case-sensitive.',
  created_at: 'When it was created.',
  updated_at: 'When it was last changed. Send it with a patch to detect a concurrent change.',
  deleted_at: 'When it was deleted; null while it is live.',
  tags: 'The tags attached to it.',
  tag_type: 'The technology of the tag: `rfid`, `ble` or `barcode`; later releases may add others.',
  value: tagValue,
  asset_id: 'The asset that was seen.',
  asset_external_key: 'The key of that asset.',
  location_id: 'Where it was seen; null where the reader had no location.',
  location_external_key: 'The key of that location; null without a location, or once it is deleted.',
  asset_last_seen: 'When a reader saw the asset last.',
  asset_deleted_at: 'When the asset was deleted; null while it is live.',
  event_observed_at: 'When the asset was seen.',
  duration_seconds:
    'How long until the asset was seen again, in whole seconds; null on the newest row between `from` and `to`.',
  'OrgView.name': 'The name of the organization.',
  scopes: 'The scopes of the key.',
  api_key_id: 'The id of the key, which is the `sub` of its token.',
  data: 'The requested data.',
  limit: 'The page size.',
  offset: 'The number of rows before this page.',
  total_count: 'The number of rows on all pages.',
  descendant_count_affected: 'How many live locations are below the renamed one.',
  'AssetRenameResponse.descendant_count_affected': 'Nothing is below an asset.',
};

const windowDefaults = {
  valid_from: `${shared.valid_from} Defaults to now.`,
  is_active: `${shared.is_active} Defaults to true.`,
};

/** Texts of the fields of bodies that create, rename or attach. */
export const createWords: Record<string, string> = {
  ...shared,
  ...windowDefaults,
  external_key: 'Your own key. Defaults to the lowest free key of the series.',
  'RenameAssetRequest.external_key': 'The new key.',
  'RenameLocationRequest.external_key': 'The new key.',
  metadata: `${shared.metadata} Defaults to an empty object.`,
  parent_external_key: `${shared.parent_external_key} Either this or \`parent_id\`, or both if they agree.`,
  tags: 'Tags to attach. If one of them cannot be attached, nothing is created.',
  tag_type: 'The technology of the tag.',
  value: tagValue,
};

/** Texts of the fields of merge patches; the read-only ones are included so that a response can be sent back. */
export const patchWords: Record<string, string> = {
  ...shared,
  metadata: `${shared.metadata} It replaces the stored one as a whole.`,
  parent_external_key: `${shared.parent_external_key} Either this or \`parent_id\`, or both if they agree.`,
  id: 'Accepted if it equals the stored value.',
  external_key: 'Accepted if it equals the stored value; the rename operation changes it.',
  created_at: 'Accepted if it equals the stored value.',
  updated_at: 'Accepted if it equals the stored value; otherwise the row was changed since, and the patch is rejected.',
  deleted_at: 'Accepted if it equals the stored value; deleting has its own operation.',
  tags: 'Accepted if they are the attached tags, in any order; attaching and detaching have their own operations.',
};

/** Texts of path and query parameters. */
export const parameterWords: Record<string, string> = {
  asset_id: 'The id of the asset.',
  location_id: 'The id of the location.',
  tag_id: 'The id of the tag.',
  parent_id: 'The location directly above. Not together with `parent_external_key`.',
  parent_external_key: 'The key of the location directly above. Not together with `parent_id`.',
  external_key: 'The key; case-sensitive.',
  'listAssetLocations.asset_id': 'The id of the asset. Not together with `asset_external_key`.',
  asset_external_key: 'The key of the asset. Not together with `asset_id`.',
  'listAssetLocations.location_id': 'The id of the location. Not together with `location_external_key`.',
  location_external_key: 'The key of the location. Not together with `location_id`.',
  is_active: 'Only rows with this value.',
  q: 'Text to search for in names, keys, descriptions and tag values; not case-sensitive.',
  include_deleted: 'Whether to include deleted rows.',
  from: 'The earliest time to include.',
  to: 'The latest time to include.',
  limit: 'The maximum number of rows on a page.',
  offset: 'The number of rows to skip.',
  sort: 'The order; equal rows are ordered by id.',
};

/** Joins the parts of a description as sentences. */
export function sentences(...parts: readonly (string | undefined)[]): string {
  const present = parts.filter((part) => part !== undefined && part !== '');
  return present.map((part) => asSentence(part as string)).join(' ');
}

function asSentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
