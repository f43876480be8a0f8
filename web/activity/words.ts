import type { Outputs } from '../api/trpc.js';

export type Entry = Outputs['activity']['list']['data'][number];

export const kindNames: Record<Entry['kind'], string> = {
  asset: 'Asset',
  location: 'Location',
  audit: 'Audit',
  import: 'Import',
  alert_rule: 'Alert rule',
  reader: 'Reader',
  webhook_endpoint: 'Webhook endpoint',
  api_key: 'API key',
  member: 'Member',
  invitation: 'Invitation',
  email_domain: 'Email domain',
  organization: 'Organization',
};

export const actionNames: Record<Entry['action'], string> = {
  created: 'Created',
  updated: 'Changed',
  deleted: 'Deleted',
  tag_attached: 'Tag attached',
  tag_detached: 'Tag detached',
  secret_rotated: 'Secret rotated',
  disabled: 'Disabled',
  revoked: 'Revoked',
  applied: 'Applied',
  calibrated: 'Calibrated',
  calibration_reset: 'Calibration reset',
};

export const entryPointNames: Record<Entry['entry_point'], string> = {
  app: 'Web app',
  api: 'API',
  import: 'Import',
  system: 'System',
};

const fieldNames: Record<string, string> = {
  external_key: 'Key',
  name: 'Name',
  description: 'Description',
  is_active: 'Active',
  metadata: 'Custom details',
  valid_from: 'Valid from',
  valid_to: 'Valid to',
  tags: 'Tags',
  tag: 'Tag',
  parent: 'Parent location',
  location: 'Location',
  floor_plan: 'Floor plan',
  on_floor_plan: 'On the floor plan',
  asset: 'Asset',
  seconds: 'Duration (s)',
  antennas: 'Antennas',
  publish_topic: 'Topic',
  resolution_seconds: 'Deduplication window (s)',
  use_receipt_time: 'Use time of receipt',
  location_rule: 'Location rule',
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
  rows_created: 'Rows created',
  rows_changed: 'Rows changed',
  event_type: 'Event',
  is_enabled: 'Enabled',
  limit_seconds: 'Time limit (s)',
  schedule: 'Active hours',
  quiet_seconds: 'Quiet time (s)',
  notify_app: 'Notify in the app',
  email_mode: 'Email frequency',
  url: 'URL',
  email_domain: 'Email domain',
  verified: 'Verified',
};

/** Names a field as the forms do. A field without a name keeps its own, without underscores. */
export function fieldName(field: string): string {
  return fieldNames[field] ?? `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')}`;
}

export function actorName({ actor, entry_point: entryPoint }: Pick<Entry, 'actor' | 'entry_point'>): string {
  if (!actor) return entryPointNames[entryPoint];
  return actor.name ?? (actor.kind === 'key' ? 'Deleted API key' : 'Former member');
}
