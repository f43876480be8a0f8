import { system } from '../../people/activity/author.js';
import { differingFacts, type Facts, recordChange, type Scope } from '../../people/activity/record.js';
import type { TransactionClient } from '../../kernel/database/client.js';
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

/** Records what a person changed of an endpoint in the activity log, unless nothing differs. */
export async function recordEndpointChange(
  tx: TransactionClient,
  scope: Scope,
  { action, before, after }: EndpointChange,
): Promise<void> {
  const row = after ?? before;
  if (!row) return;
  const states = { ...(before && { before: endpointFacts(before) }), ...(after && { after: endpointFacts(after) }) };
  const differing = before && after ? differingFacts(endpointFacts(before), endpointFacts(after)) : states;
  if (!differing) return;
  const { id: objectId, name: objectName } = row;
  await recordChange(tx, scope, { kind: 'webhook_endpoint', objectId, objectName, action, ...differing });
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
  await recordChange(
    tx,
    { orgId, author: system },
    {
      kind: 'webhook_endpoint',
      objectId: id,
      objectName: name,
      action: 'disabled',
      before: { is_enabled: true },
      after: { is_enabled: false, reason: reasons[reason] },
    },
  );
}
