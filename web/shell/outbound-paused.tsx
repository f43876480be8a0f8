import { t } from '@lingui/core/macro';
import { Alert } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../api/trpc.js';

/** The interval of checks whether the pause has ended. */
const askEveryMs = 30_000;

/** Reports that this service was restored from a backup and sends nothing. */
export function OutboundPaused() {
  const trpc = useTRPC();
  const isPaused = ({ outbound_paused: paused }: { outbound_paused: boolean }) => paused;
  const paused = useQuery(
    trpc.session.me.queryOptions(undefined, {
      select: isPaused,
      refetchInterval: ({ state }) => (state.data?.outbound_paused ? askEveryMs : false),
    }),
  );
  if (!paused.data) return null;
  return (
    <Alert role="alert" color="yellow" icon={<IconPlayerPause />} title={t`Email and webhooks are paused`} mb="md">
      {t`This service was restored from a backup. It sends no email and no webhooks, and receives nothing from an external broker, until an operator releases them with the command release-outbound.`}
    </Alert>
  );
}
