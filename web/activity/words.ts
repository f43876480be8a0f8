import { t } from '@lingui/core/macro';
import type { Outputs } from '../api/trpc.js';
import type { Entry } from './entry.js';

export const kindNames: Record<Entry['kind'], string> = {
  asset: t`Asset`,
  location: t`Location`,
  audit: t`Audit`,
  import: t`Import`,
  asset_kind: t`Kind of assets`,
  alert_rule: t`Alert rule`,
  reader: t`Reader`,
  webhook_endpoint: t`Webhook endpoint`,
  api_key: t`API key`,
  member: t`Member`,
  invitation: t`Invitation`,
  organization: t`Organization`,
  email_domain: t`Email domain`,
};

export const actionNames: Record<Entry['action'], string> = {
  created: t`Created`,
  updated: t`Changed`,
  deleted: t`Deleted`,
  restored: t`Restored`,
  tag_attached: t`Tag attached`,
  tag_detached: t`Tag detached`,
  placed: t`Placed by hand`,
  put_in: t`Put in`,
  taken_out: t`Taken out`,
  problem_reported: t`Problem reported`,
  problem_resolved: t`Problem resolved`,
  secret_rotated: t`Secret rotated`,
  disabled: t`Disabled`,
  revoked: t`Revoked`,
  applied: t`Applied`,
  undone: t`Undone`,
  calibrated: t`Calibrated`,
  calibration_reset: t`Calibration reset`,
};

export const entryPointNames: Record<Entry['entry_point'], string> = {
  app: t`Web app`,
  api: t`API`,
  import: t`Import`,
  system: t`System`,
};

type LoggedField = Extract<Outputs['undo']['changes']['left'][number], { status: 'changed_since' }>['fields'][number];

/** The fields of assets and locations that can be given their former values; ids of rows are shown as names. */
export const restorableFields: Readonly<Record<LoggedField | 'kind' | 'parent' | 'belongs_to', string>> = {
  external_key: t`Key`,
  name: t`Name`,
  description: t`Description`,
  is_active: t`Active`,
  kind: t`Kind`,
  kind_id: t`Kind`,
  belongs_to: t`Belongs to`,
  belongs_to_id: t`Belongs to`,
  assets_free: t`Assets here are free to use`,
  metadata: t`Custom details`,
  valid_from: t`Valid from`,
  valid_to: t`Valid to`,
  parent: t`Parent location`,
  parent_id: t`Parent location`,
  container: t`Container`,
  tag: t`Tag`,
};

const fieldNames: Record<string, string> = {
  ...restorableFields,
  icon: t`Icon`,
  color: t`Color`,
  photo: t`Photo`,
  tags: t`Tags`,
  problem: t`Problem`,
  location: t`Location`,
  floor_plan: t`Floor plan`,
  on_floor_plan: t`On the floor plan`,
  asset: t`Asset`,
  seconds: t`Duration (s)`,
  antennas: t`Antennas`,
  publish_topic: t`Topic`,
  resolution_seconds: t`Deduplication window (s)`,
  use_receipt_time: t`Use time of receipt`,
  location_rule: t`Location rule`,
  format: t`Format`,
  mapping: t`Mapping`,
  scopes: t`Scopes`,
  expires_at: t`Expires`,
  email: t`Email`,
  role: t`Role`,
  found: t`Found`,
  missing: t`Missing`,
  unexpected: t`Unexpected`,
  unassigned: t`Unassigned`,
  content: t`Content`,
  rows_created: t`Rows created`,
  rows_changed: t`Rows changed`,
  event_type: t`Event`,
  is_enabled: t`Enabled`,
  limit_seconds: t`Time limit (s)`,
  threshold: t`Threshold`,
  schedule: t`Active hours`,
  quiet_seconds: t`Quiet time (s)`,
  notify_app: t`Notify in the app`,
  email_mode: t`Email frequency`,
  url: t`URL`,
  email_domain: t`Email domain`,
  verified: t`Verified`,
};

/** Names a field as the forms do. A field without such a name keeps its technical name, without underscores. */
export function fieldName(field: string): string {
  return fieldNames[field] ?? `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')}`;
}

export function actorName({ actor, entry_point: entryPoint }: Pick<Entry, 'actor' | 'entry_point'>): string {
  if (!actor) return entryPointNames[entryPoint];
  return actor.name ?? (actor.kind === 'key' ? t`Deleted API key` : t`Former member`);
}
