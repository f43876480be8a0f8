import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Badge, Text } from '@mantine/core';
import type { Outputs } from '../../api/trpc.js';
import { quantity } from '../../ui/quantity.js';
import { When } from '../../ui/when.js';

export type Endpoint = Outputs['webhooks']['list']['data'][number];

export function EndpointStatus({ endpoint }: { endpoint: Endpoint }) {
  if (!endpoint.is_enabled) return <Badge color="gray">{t`Disabled`}</Badge>;
  if (endpoint.failing_since !== null) return <Badge color="red">{t`Failing`}</Badge>;
  return <Badge color="green">{t`Enabled`}</Badge>;
}

const reasons = {
  gone: t`The endpoint answered 410 Gone, which means that it wants no more requests.`,
  failing: t`No delivery succeeded for five days.`,
  user: t`An administrator disabled it.`,
} as const;

/** Why an endpoint is disabled or failing, and what else an administrator has to know about it. */
export function EndpointNotes({ endpoint }: { endpoint: Endpoint }) {
  const { is_enabled: isEnabled, failing_since: failingSince, disabled_reason: reason } = endpoint;
  return (
    <>
      {!isEnabled && (
        <Alert color="orange" title={t`Disabled`}>
          {reason !== null && `${reasons[reason]} `}
          <Trans>
            Since <When at={endpoint.disabled_at} />, no events are sent to it. Events of that time are not sent later.
          </Trans>
        </Alert>
      )}
      {isEnabled && failingSince !== null && (
        <Alert color="red" title={t`Deliveries are failing`}>
          <Trans>
            Since <When at={failingSince} />. Failed deliveries are tried again. The endpoint is disabled after five
            days without a success.
          </Trans>
        </Alert>
      )}
      {endpoint.dropped_count > 0 && (
        <Alert color="orange" title={t`${quantity(endpoint.dropped_count, 'event')} not delivered`}>
          <Trans>
            Too many deliveries were waiting, the last time <When at={endpoint.last_dropped_at} />.
          </Trans>
        </Alert>
      )}
      {endpoint.previous_secret_until !== null && (
        <Text size="sm">
          <Trans>
            Requests are also signed with the previous secret. It expires <When at={endpoint.previous_secret_until} />.
          </Trans>
        </Text>
      )}
    </>
  );
}
