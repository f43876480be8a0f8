// What the description says of fields and parameters in words of its own. A field that is found nowhere here stops the
// start, so that a new one gets its sentence.

/** The groups that operations are shown in. */
export const tagWords: Record<string, string> = {
  orgs: 'Whose key is asking.',
  assets: 'The things an organization keeps track of, and the tags on them.',
  locations: 'The places they can be at: a tree, and the tags on its nodes.',
  tracking: 'What the readers saw: where things are and where they were.',
};

const tagValue = 'What a reader reads: an EPC, a MAC address, a printed code.';

const shared = {
  name: 'What people call it.',
  description: 'Free text of one or more lines.',
  is_active: 'A switch of your own. It hides nothing and stops nothing.',
  metadata:
    'Any JSON object of your own. Numbers are IEEE 754 doubles. An integer that a double cannot hold exactly is refused; send it as a string.',
  valid_from: 'Lists show the row from this instant on.',
  valid_to: 'Lists leave the row out from this instant on; null for never.',
  parent_id: 'The location directly above; null at the top of the tree.',
  parent_external_key: 'The key of the location directly above; null at the top of the tree.',
};

/** Of the fields of answers, by name, or by schema and name where the name alone does not tell. */
export const readWords: Record<string, string> = {
  ...shared,
  id: 'Given by the service once and for all.',
  external_key: 'Your own key for it. No two live rows of one kind share a key; AB-1 and ab-1 are two keys.',
  created_at: 'When it was created.',
  updated_at: 'When it was last changed. Send it along with a patch to find out whether somebody else was faster.',
  deleted_at: 'When it was deleted; null while it is live.',
  tags: 'The tags attached to it.',
  tag_type: 'What carries the value: `rfid`, `ble` or `barcode` today, perhaps others later.',
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
  scopes: 'What the key may do.',
  api_key_id: 'The id of the key, which is the `sub` of its token.',
  data: 'What was asked for.',
  limit: 'The page size that was used.',
  offset: 'How many rows come before this page.',
  total_count: 'How many rows there are on all pages.',
  descendant_count_affected: 'How many live locations are below the renamed one.',
  'AssetRenameResponse.descendant_count_affected': 'Nothing is below an asset.',
};

const windowDefaults = {
  valid_from: `${shared.valid_from} Now if left out.`,
  is_active: `${shared.is_active} True if left out.`,
};

/** Of the fields of bodies that create, rename or attach. */
export const createWords: Record<string, string> = {
  ...shared,
  ...windowDefaults,
  external_key: 'Your own key for it. The lowest free one of the series is given if left out.',
  'RenameAssetRequest.external_key': 'The new key.',
  'RenameLocationRequest.external_key': 'The new key.',
  metadata: `${shared.metadata} Empty if left out.`,
  parent_external_key: `${shared.parent_external_key} Either this or \`parent_id\`, or both if they agree.`,
  tags: 'Tags to attach at once: all of them, or nothing is created.',
  tag_type: 'What carries the value.',
  value: tagValue,
};

/** Of the fields of merge patches; the read-only ones are there so that what was read can be sent back. */
export const patchWords: Record<string, string> = {
  ...shared,
  metadata: `${shared.metadata} It replaces the stored one as a whole.`,
  parent_external_key: `${shared.parent_external_key} Either this or \`parent_id\`, or both if they agree.`,
  id: 'Accepted if it equals the stored value.',
  external_key: 'Accepted if it equals the stored value; the rename operation changes it.',
  created_at: 'Accepted if it is the stored instant.',
  updated_at: 'Accepted if it is the stored instant; otherwise somebody else changed the row, and nothing happens.',
  deleted_at: 'Accepted if it equals the stored value; deleting has its own operation.',
  tags: 'Accepted if they are the attached tags, in any order; attaching and detaching have their own operations.',
};

/** Of the parameters of paths and queries. */
export const parameterWords: Record<string, string> = {
  asset_id: 'The id of the asset.',
  location_id: 'The id of the location.',
  tag_id: 'The id of the tag.',
  parent_id: 'The location directly above. Not together with `parent_external_key`.',
  parent_external_key: 'The key of the location directly above. Not together with `parent_id`.',
  external_key: 'The key, as it was given: case counts.',
  'listAssetLocations.asset_id': 'The id of the asset. Not together with `asset_external_key`.',
  asset_external_key: 'The key of the asset. Not together with `asset_id`.',
  'listAssetLocations.location_id': 'The id of the location. Not together with `location_external_key`.',
  location_external_key: 'The key of the location. Not together with `location_id`.',
  is_active: 'Only rows whose switch stands so.',
  q: 'Text to look for in name, key, description and tag values; upper and lower case are the same.',
  include_deleted: 'Whether deleted rows are listed too.',
  from: 'The earliest instant to include.',
  to: 'The latest instant to include.',
  limit: 'The most rows on a page.',
  offset: 'How many rows to skip.',
  sort: 'The order; the id decides between equals.',
};

/** A description's parts as sentences. */
export function sentences(...parts: readonly (string | undefined)[]): string {
  const present = parts.filter((part) => part !== undefined && part !== '');
  return present.map((part) => asSentence(part as string)).join(' ');
}

function asSentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
