import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPencil, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ObjectActivity } from '../../activity/object-activity.js';
import { eventNames } from '../../alerts/words.js';
import { useTRPC } from '../../api/trpc.js';
import { RequireRole } from '../../session/require-role.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ButtonLink } from '../../ui/links.js';
import { BackLink, Page } from '../../ui/page.js';
import { Unanswered } from '../../ui/problem-state.js';
import { UserText } from '../../ui/user-text.js';
import { Section } from '../assets/section.js';
import { Deliveries } from './deliveries.js';
import { EditEndpoint } from './edit-endpoint.js';
import { EndpointActions } from './endpoint-actions.js';
import { type Endpoint, EndpointNotes, EndpointStatus } from './endpoint-status.js';

const back = <BackLink to="/alerts/webhooks">{t`Webhooks`}</BackLink>;
const refetchMs = 5000;

/** One webhook: its state, its settings, and its deliveries. */
export function EndpointPage() {
  const { endpointId } = useParams({ from: '/app/alerts/webhooks/$endpointId' });
  return (
    <RequireRole needs="admin">
      <KnownEndpoint key={endpointId} id={Number(endpointId)} />
    </RequireRole>
  );
}

function KnownEndpoint({ id }: { id: number }) {
  const trpc = useTRPC();
  const endpoints = useQuery(trpc.webhooks.list.queryOptions(undefined, { refetchInterval: refetchMs }));
  const endpoint = endpoints.data?.data.find((candidate) => candidate.id === id);
  if (endpoint) return <Shown endpoint={endpoint} />;
  // A cached list may lack a webhook that was just created.
  if (endpoints.data && endpoints.isFetchedAfterMount) {
    return (
      <Page title={t`Webhook not found`} back={back}>
        <EmptyState
          icon={IconWebhook}
          title={t`There is no such webhook`}
          action={<ButtonLink to="/alerts/webhooks">{t`See all webhooks`}</ButtonLink>}
        >
          <Trans>It may have been deleted.</Trans>
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title={t`Webhook`} back={back}>
      <Unanswered query={endpoints} height={200} />
    </Page>
  );
}

function Shown({ endpoint }: { endpoint: Endpoint }) {
  const [isEditing, setEditing] = useState(false);
  return (
    <Page
      title={endpoint.name}
      isName
      description={<EndpointStatus endpoint={endpoint} />}
      back={back}
      actions={<EndpointActions endpoint={endpoint} />}
    >
      <Stack>
        <EndpointNotes endpoint={endpoint} />
        <Section
          title={t`Receiver`}
          action={
            !isEditing && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconPencil size={16} aria-hidden />}
                onClick={() => setEditing(true)}
              >
                <Trans>Edit</Trans>
              </Button>
            )
          }
        >
          {isEditing ? (
            <EditEndpoint endpoint={endpoint} onClose={() => setEditing(false)} />
          ) : (
            <>
              <Text ff="monospace" size="sm" component="div">
                <UserText>{endpoint.url}</UserText>
              </Text>
              <Text size="sm" c="dimmed">
                {endpoint.event_types.length === 0
                  ? t`Receives what alert rules send to it.`
                  : t`Receives all events of these types: ${endpoint.event_types.map((type) => eventNames[type]).join('; ')}.`}
              </Text>
            </>
          )}
        </Section>
        <Section title={t`Deliveries`}>
          <Group>
            <Text size="sm" c="dimmed">{t`Deliveries are kept for 30 days.`}</Text>
          </Group>
          <Deliveries endpoint={endpoint} />
        </Section>
        <Section title={t`Changes`}>
          <ObjectActivity kind="webhook_endpoint" objectId={endpoint.id} version={endpoint.updated_at} />
        </Section>
      </Stack>
    </Page>
  );
}
