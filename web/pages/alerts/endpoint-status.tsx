import { Alert, Badge, Text } from '@mantine/core';
import type { Outputs } from '../../api/trpc.js';
import { quantity } from '../../ui/quantity.js';
import { When } from '../../ui/when.js';

export type Endpoint = Outputs['webhooks']['list']['data'][number];

export function EndpointStatus({ endpoint }: { endpoint: Endpoint }) {
  if (!endpoint.is_enabled) return <Badge color="gray">Disabled</Badge>;
  if (endpoint.failing_since !== null) return <Badge color="red">Failing</Badge>;
  return <Badge color="green">Enabled</Badge>;
}

const reasons = {
  gone: 'The endpoint answered 410 Gone, which means that it wants no more requests.',
  failing: 'No delivery succeeded for five days.',
  user: 'An administrator disabled it.',
} as const;

/** Why an endpoint is disabled or failing, and what else an administrator has to know about it. */
export function EndpointNotes({ endpoint }: { endpoint: Endpoint }) {
  const { is_enabled: isEnabled, failing_since: failingSince, disabled_reason: reason } = endpoint;
  return (
    <>
      {!isEnabled && (
        <Alert color="orange" title="Disabled">
          {reason !== null && `${reasons[reason]} `}Since <When at={endpoint.disabled_at} />, no events are sent to it.
          Events of that time are not sent later.
        </Alert>
      )}
      {isEnabled && failingSince !== null && (
        <Alert color="red" title="Deliveries are failing">
          Since <When at={failingSince} />. Failed deliveries are tried again. The endpoint is disabled after five days
          without a success.
        </Alert>
      )}
      {endpoint.dropped_count > 0 && (
        <Alert color="orange" title={`${quantity(endpoint.dropped_count, 'event')} not delivered`}>
          Too many deliveries were waiting, the last time <When at={endpoint.last_dropped_at} />.
        </Alert>
      )}
      {endpoint.previous_secret_until !== null && (
        <Text size="sm">
          Requests are also signed with the previous secret. It expires <When at={endpoint.previous_secret_until} />.
        </Text>
      )}
    </>
  );
}
