import type { Outputs } from '../api/trpc.js';

export type Entry = Outputs['activity']['list']['data'][number];

export const kinds: readonly Entry['kind'][] = [
  ...(['asset', 'location', 'audit', 'import', 'alert_rule', 'reader', 'webhook_endpoint'] as const),
  ...(['api_key', 'member', 'invitation', 'email_domain', 'organization'] as const),
];

export const entryPoints: readonly Entry['entry_point'][] = ['app', 'api', 'import', 'system'];
