import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import { RequireRole } from '../../session/require-role.js';
import type { Column } from '../../ui/data-table.js';
import { PagedTable } from '../../ui/paged-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { formats } from '../../ui/formats.js';
import { AnchorLink, ButtonLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';
import { ProblemState } from '../../ui/problem-state.js';
import { dataSize } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { AlertTabs } from './alert-tabs.js';
import { type Endpoint, EndpointStatus } from './endpoint-status.js';

const refetchMs = 10_000;

/** The addresses that events are sent to. */
export function WebhooksPage() {
  const { can } = useSession();
  return (
    <Page
      title={t`Webhooks`}
      description={t`Send events to other systems as they happen`}
      actions={
        can('admin') && (
          <ButtonLink
            to="/alerts/webhooks/new"
            leftSection={<IconPlus size={18} aria-hidden />}
            aria-keyshortcuts="n"
          >{t`New webhook`}</ButtonLink>
        )
      }
    >
      <AlertTabs here="/alerts/webhooks" />
      <RequireRole needs="admin">
        <Endpoints />
      </RequireRole>
    </Page>
  );
}

const columns: Column<Endpoint>[] = [
  {
    id: 'name',
    header: t`Name`,
    cell: (row) => (
      <>
        <AnchorLink to="/alerts/webhooks/$endpointId" params={{ endpointId: String(row.id) }} fw={550}>
          <UserText>{row.name}</UserText>
        </AnchorLink>
        <Text size="xs" c="dimmed" component="div">
          <UserText lines={1}>{row.url}</UserText>
        </Text>
      </>
    ),
  },
  { id: 'status', header: t`Status`, width: '7rem', cell: (row) => <EndpointStatus endpoint={row} /> },
  {
    id: 'success',
    header: t`Last delivered`,
    hideBelow: 'sm',
    width: '10rem',
    cell: (row) => <When at={row.last_success_at} />,
  },
  {
    id: 'pending',
    header: t`Waiting`,
    hideBelow: 'sm',
    align: 'end',
    width: '6rem',
    cell: (row) => (
      <>
        {formats().number.format(row.pending.count)}
        {row.pending.count > 0 && (
          <Text size="xs" c="dimmed">
            {dataSize(row.pending.bytes)}
          </Text>
        )}
      </>
    ),
  },
];

function Endpoints() {
  const trpc = useTRPC();
  const endpoints = useQuery(trpc.webhooks.list.queryOptions(undefined, { refetchInterval: refetchMs }));
  if (endpoints.error && !endpoints.data) {
    return <ProblemState error={endpoints.error} onRetry={() => void endpoints.refetch()} />;
  }
  return (
    <PagedTable
      unit="webhook"
      caption={t`Webhooks`}
      columns={columns}
      rows={endpoints.data?.data}
      rowId={({ id }) => String(id)}
      expectedRows={2}
      empty={
        <EmptyState
          icon={IconWebhook}
          title={t`No webhooks yet`}
          action={<ButtonLink to="/alerts/webhooks/new">{t`New webhook`}</ButtonLink>}
        >
          <Trans>Add the address of a system that is to receive events, such as a move of an asset.</Trans>
        </EmptyState>
      }
    />
  );
}
