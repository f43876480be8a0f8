import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Loader, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Outputs, useTRPC } from '../api/trpc.js';
import { ProblemState } from '../ui/problem-state.js';
import { When } from '../ui/when.js';
import classes from './first-message.module.css';

type Reader = Outputs['readers']['get'];

type State = 'waiting' | 'connected' | 'refused' | 'received';

const lookEveryMs = 1000;

export type FirstMessageProps = { readerId: number; onReceived?: () => void };

/** A light that turns green at the reader's first message, and amber with the reason if its login is rejected. */
export function FirstMessage({ readerId, onReceived }: FirstMessageProps) {
  const trpc = useTRPC();
  const reader = useQuery(
    trpc.readers.get.queryOptions(
      { id: readerId },
      { staleTime: 0, refetchInterval: ({ state }) => (state.data?.last_message_at ? false : lookEveryMs) },
    ),
  );
  const state = reader.data && stateOf(reader.data);
  const isReceived = state === 'received';
  useEffect(() => {
    if (isReceived) onReceived?.();
  }, [isReceived, onReceived]);
  if (reader.error && !reader.data) return <ProblemState error={reader.error} onRetry={() => void reader.refetch()} />;
  return (
    <Paper withBorder p="md" role="status" data-state={state}>
      <Group gap="sm" wrap="nowrap">
        <span className={classes['light']} data-state={state} aria-hidden />
        <div>
          <Text fw={550}>{titles[state ?? 'waiting']}</Text>
          <Text size="sm" c="dimmed" component="div">
            {reader.data ? <Detail reader={reader.data} state={stateOf(reader.data)} /> : <Loader size="xs" />}
          </Text>
        </div>
      </Group>
    </Paper>
  );
}

const titles: Readonly<Record<State, string>> = {
  waiting: t`Waiting for the reader`,
  connected: t`Connected, waiting for its first message`,
  refused: t`Login refused`,
  received: t`Reader connected`,
};

function stateOf({ last_message_at, last_connected_at, last_refused_at }: Reader): State {
  if (last_message_at !== null) return 'received';
  if (last_refused_at !== null && (last_connected_at === null || last_refused_at > last_connected_at)) return 'refused';
  return last_connected_at === null ? 'waiting' : 'connected';
}

function Detail({ reader, state }: { reader: Reader; state: State }) {
  switch (state) {
    case 'received':
      return (
        <>
          <Trans>
            Last message <When at={reader.last_message_at} />.
          </Trans>
        </>
      );
    case 'refused':
      return (
        <>
          <Trans>
            <When at={reader.last_refused_at} />: {reader.last_refusal_reason}. The reader can try again at any time.
          </Trans>
        </>
      );
    case 'connected':
      return t`Hold a tag in front of it, or wait for its heartbeat.`;
    case 'waiting':
      return t`Enter the values above in its MQTT settings. The light turns green when the first message arrives.`;
  }
}
