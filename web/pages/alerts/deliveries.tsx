import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Code, Group, Modal, NativeSelect, Stack, Text, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconSend } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { problemOf } from '../../api/errors.js';
import { type Outputs, useTRPC, useTRPCClient } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ProblemState } from '../../ui/problem-state.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { When } from '../../ui/when.js';
import { DeliveryDetail } from './delivery-detail.js';
import { deliveryColors, deliveryNames, failureText } from './delivery-words.js';
import type { Endpoint } from './endpoint-status.js';

type Delivery = Outputs['webhooks']['deliveries']['data'][number];
type Status = Delivery['status'];

const pageSize = 25;
/** How often the log is reloaded: while a first attempt is in progress, and otherwise. */
const busyRefetchMs = 1000;
const refetchMs = 5000;

/** The deliveries to a webhook, newest first. */
export function Deliveries({ endpoint }: { endpoint: Endpoint }) {
  const [status, setStatus] = useState<Status>();
  const [shown, setShown] = useState<number>();
  const found = useDeliveries({ endpoint_id: endpoint.id, ...(status && { status }) });
  const { is_enabled: isEnabled } = endpoint;
  const columns = useMemo(() => columnsOf({ onShow: setShown, isEnabled }), [isEnabled]);
  if (found.error && !found.data) return <ProblemState error={found.error} onRetry={() => void found.refetch()} />;
  return (
    <Stack>
      <Group>
        <NativeSelect
          label={t`Status`}
          value={status ?? ''}
          onChange={(event) => setStatus((event.currentTarget.value || undefined) as Status | undefined)}
          data={[
            { value: '', label: t`All` },
            ...Object.entries(deliveryNames).map(([value, label]) => ({ value, label })),
          ]}
        />
      </Group>
      <DataTable
        caption={t`Deliveries`}
        columns={columns}
        rows={found.data?.pages.flatMap(({ data }) => data)}
        rowId={({ id }) => String(id)}
        expectedRows={3}
        isStale={found.isPlaceholderData}
        empty={
          <EmptyState icon={IconSend} title={t`No deliveries`}>
            {status === undefined ? t`Send a test event to see the first one.` : t`Choose another status.`}
          </EmptyState>
        }
      />
      {found.hasNextPage && (
        <Group>
          <Button variant="default" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            <Trans>Earlier deliveries</Trans>
          </Button>
        </Group>
      )}
      <Modal opened={shown !== undefined} onClose={() => setShown(undefined)} title={t`Delivery`} size="xl">
        {shown !== undefined && <DeliveryDetail id={shown} />}
      </Modal>
    </Stack>
  );
}

function useDeliveries(filter: { endpoint_id: number; status?: Status }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  return useInfiniteQuery({
    queryKey: [...trpc.webhooks.deliveries.queryKey(filter), 'pages'],
    queryFn: ({ pageParam: before, signal }) =>
      api.webhooks.deliveries.query(
        { ...filter, limit: pageSize, ...(before !== undefined && { before_id: before }) },
        { signal },
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next_before_id: next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const isBusy = state.data?.pages[0]?.data.some(({ status, attempts }) => status === 'pending' && attempts === 0);
      return isBusy ? busyRefetchMs : refetchMs;
    },
  });
}

function columnsOf({ onShow, isEnabled }: { onShow: (id: number) => void; isEnabled: boolean }): Column<Delivery>[] {
  return [
    {
      id: 'event',
      header: t`Event`,
      cell: (row) => (
        <>
          <Code>{row.event_type}</Code>
          <Text size="xs" c="dimmed" component="div">
            <When at={row.created_at} />
          </Text>
        </>
      ),
    },
    {
      id: 'status',
      header: t`Status`,
      cell: (row) => (
        <>
          <Badge color={deliveryColors[row.status]}>{deliveryNames[row.status]}</Badge>
          <Text size="xs" c="dimmed" component="div">
            {outcomeText(row)}
            {row.attempts > 0 && row.next_attempt_at !== null && (
              <>
                <Trans>
                  , next <When at={row.next_attempt_at} />
                </Trans>
              </>
            )}
          </Text>
        </>
      ),
    },
    {
      id: 'actions',
      header: () => <VisuallyHidden>{t`Actions`}</VisuallyHidden>,
      align: 'end',
      cell: (row) => (
        <Group gap="xs" justify="flex-end">
          <Button size="xs" variant="default" onClick={() => onShow(row.id)}>{t`Details`}</Button>
          {row.status !== 'pending' && isEnabled && <SendAgain id={row.id} />}
        </Group>
      ),
    },
  ];
}

function outcomeText({ attempts, last_status_code: code, last_error: error, last_duration_ms: ms }: Delivery): string {
  const result = code === null ? error && failureText(error) : t`status ${code}`;
  return [attempts > 0 && quantity(attempts, 'attempt'), result, ms !== null && t`${numberText(ms)} ms`]
    .filter((part) => part !== null && part !== false)
    .join(', ');
}

function SendAgain({ id }: { id: number }) {
  const { trpc, api, refresh } = useServer();

  async function send(): Promise<void> {
    try {
      await api.webhooks.resend.mutate({ id });
    } catch (error) {
      const { title, detail } = problemOf(error);
      notifications.show({ color: 'red', title, message: detail });
    }
    await refresh(trpc.webhooks);
  }

  return <Button size="xs" variant="default" onClick={() => void send()}>{t`Send again`}</Button>;
}
