import { t } from '@lingui/core/macro';
import type { Outputs } from '../api/trpc.js';

export type Entry = Outputs['activity']['list']['data'][number];

export const kindNames: Record<Entry['kind'], string> = {
  asset: 'Asset',
  location: 'Location',
  audit: 'Audit',
  import: 'Import',
  alert_rule: t`Alert rule`,
  reader: 'Reader',
  webhook_endpoint: t`Webhook endpoint`,
  api_key: t`API key`,
  member: 'Member',
  invitation: 'Invitation',
  organization: 'Organization',
};

export const actionNames: Record<Entry['action'], string> = {
  created: 'Created',
  updated: 'Changed',
  deleted: 'Deleted',
  tag_attached: t`Tag attached`,
  tag_detached: t`Tag detached`,
  secret_rotated: t`Secret rotated`,
  disabled: 'Disabled',
  revoked: 'Revoked',
  applied: 'Applied',
  calibrated: 'Calibrated',
  calibration_reset: t`Calibration reset`,
};

export const entryPointNames: Record<Entry['entry_point'], string> = {
  app: t`Web app`,
  api: 'API',
  import: 'Import',
  system: 'System',
};

const fieldNames: Record<string, string> = {
  external_key: 'Key',
  name: 'Name',
  description: t`Description`,
  is_active: 'Active',
  metadata: t`Custom details`,
  valid_from: t`Valid from`,
  valid_to: t`Valid to`,
  tags: 'Tags',
  tag: 'Tag',
  parent: t`Parent location`,
  location: 'Location',
  floor_plan: t`Floor plan`,
  on_floor_plan: t`On the floor plan`,
  asset: 'Asset',
  seconds: 'Duration (s)',
  antennas: 'Antennas',
  publish_topic: 'Topic',
  resolution_seconds: t`Deduplication window (s)`,
  use_receipt_time: t`Use time of receipt`,
  location_rule: t`Location rule`,
  format: 'Format',
  mapping: 'Mapping',
  scopes: 'Scopes',
  expires_at: 'Expires',
  email: 'Email',
  role: 'Role',
  found: 'Found',
  missing: 'Missing',
  unexpected: 'Unexpected',
  unassigned: 'Unassigned',
  content: 'Content',
  rows_created: t`Rows created`,
  rows_changed: t`Rows changed`,
  event_type: 'Event',
  is_enabled: 'Enabled',
  limit_seconds: t`Time limit (s)`,
  schedule: t`Active hours`,
  quiet_seconds: t`Quiet time (s)`,
  notify_app: t`Notify in the app`,
  email_mode: t`Email frequency`,
  url: 'URL',
};

/** Names a field as the forms do. A field without a name keeps its own, without underscores. */
export function fieldName(field: string): string {
  return fieldNames[field] ?? `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')}`;
}

export function actorName({ actor, entry_point: entryPoint }: Pick<Entry, 'actor' | 'entry_point'>): string {
  if (!actor) return entryPointNames[entryPoint];
  return actor.name ?? (actor.kind === 'key' ? t`Deleted API key` : t`Former member`);
}
