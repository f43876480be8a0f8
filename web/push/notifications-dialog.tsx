import { t } from '@lingui/core/macro';
import { Alert, Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Problem, problemOf } from '../api/errors.js';
import { FormProblem } from '../api/server-form.js';
import { useServer } from '../api/use-server.js';
import { ProblemState } from '../ui/problem-state.js';
import { canNotify, presentSubscription, subscribeDevice } from './device.js';

const present = {
  queryKey: ['push-subscription'],
  queryFn: async () => ({ endpoint: (await presentSubscription())?.endpoint ?? null }),
};

/** Explains the notifications, and turns them on or off on this device. */
export function NotificationsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={t`Notifications on this device`}>
      <Stack>
        <Text>{t`Alerts whose rules notify you by email also appear on this device, even if Whereabouts is closed. They end when you sign out here.`}</Text>
        {canNotify() ? <Switching /> : <Alert color="yellow">{t`This browser can’t show notifications.`}</Alert>}
        <Text size="sm" c="dimmed">
          {t`On an iPhone or iPad, notifications need the installed app: choose Share, then Add to Home Screen, open Whereabouts from there, and turn them on in it.`}
        </Text>
      </Stack>
    </Modal>
  );
}

function Switching() {
  const { trpc, api, answers, refresh } = useServer();
  const devices = useQuery(trpc.push.list.queryOptions());
  const subscription = useQuery(present);
  const [permission, setPermission] = useState(() => Notification.permission);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);

  if (devices.error) return <ProblemState error={devices.error} onRetry={() => void devices.refetch()} />;
  if (!devices.data || !subscription.data) return <Skeleton height={36} aria-busy="true" />;
  const { public_key: publicKey, endpoints } = devices.data;
  const { endpoint } = subscription.data;
  const isOn = endpoint !== null && endpoints.includes(endpoint);

  async function change(): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      if (isOn) {
        await api.push.unsubscribe.mutate({ endpoint });
      } else {
        const granted = await Notification.requestPermission();
        setPermission(granted);
        if (granted === 'granted') {
          await api.push.subscribe.mutate({ ...(await subscribeDevice(publicKey)), public_key: publicKey });
        }
      }
    } catch (error) {
      setProblem(isOfBrowser(error) ? { ...problemOf(error), ...browserProblem } : problemOf(error));
    }
    await Promise.all([refresh(trpc.push), answers.invalidateQueries({ queryKey: present.queryKey })]);
    setBusy(false);
  }

  if (permission === 'denied' && !isOn) {
    return (
      <Alert color="yellow">
        {t`This browser blocks notifications from Whereabouts. Allow them in its settings for this site.`}
      </Alert>
    );
  }
  return (
    <>
      <Text role="status">
        {isOn ? t`Notifications are on, on this device.` : t`Notifications are off, on this device.`}
      </Text>
      <FormProblem problem={problem} />
      <Group>
        <Button variant={isOn ? 'default' : 'filled'} loading={isBusy} onClick={() => void change()}>
          {isOn ? t`Turn off` : t`Turn on`}
        </Button>
      </Group>
    </>
  );
}

const browserProblem = {
  title: t`Notifications`,
  detail: t`The browser did not register this device for notifications. Try again later.`,
};

/** The browser's own push service throws errors of this class. */
function isOfBrowser(error: unknown): boolean {
  return error instanceof DOMException;
}
