import type { TransactionClient } from '../../kernel/database/client.js';
import { system } from '../../people/activity/author.js';
import { type Facts, recordChange, recordDifference, type Scope } from '../../people/activity/record.js';
import type { DisabledReason, EndpointRow } from './endpoint-queries.js';

/** Returns the settings of an endpoint for the activity log, without its secrets. */
function endpointFacts({ name, url, event_types: types, is_enabled: isEnabled }: EndpointRow): Facts {
  return { name, url, event_types: types, is_enabled: isEnabled };
}

type EndpointChange = {
  action: 'created' | 'updated' | 'deleted' | 'restored';
  before?: EndpointRow;
  after?: EndpointRow;
};

/** Records a person's change of an endpoint in the activity log, unless nothing differs. */
export async function recordEndpointChange(
  tx: TransactionClient,
  scope: Scope,
  { action, before, after }: EndpointChange,
): Promise<void> {
  const { id: objectId = 0, name: objectName = '' } = after ?? before ?? {};
  const states = { before: before && endpointFacts(before), after: after && endpointFacts(after) };
  await recordDifference(tx, scope, { kind: 'webhook_endpoint', objectId, objectName, action, ...states });
}

const reasons: Record<Exclude<DisabledReason, 'user'>, string> = {
  gone: 'answered 410 Gone',
  failing: 'no success for five days',
};

/** Records in the activity log that the service disabled an endpoint, and why. */
export async function recordDisabled(
  tx: TransactionClient,
  orgId: number,
  { id, name, reason }: { id: number; name: string; reason: Exclude<DisabledReason, 'user'> },
): Promise<void> {
  const change = { kind: 'webhook_endpoint', objectId: id, objectName: name, action: 'disabled' } as const;
  const states = { before: { is_enabled: true }, after: { is_enabled: false, reason: reasons[reason] } };
  await recordChange(tx, { orgId, author: system }, { ...change, ...states });
}
