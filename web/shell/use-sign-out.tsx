import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { problemOf } from '../api/errors.js';
import { useTRPCClient } from '../api/trpc.js';
import { useSession, useSessionControl } from '../session/context.js';
import { ownerOf } from '../session/owner.js';

type SignOutOptions = { everywhere?: boolean };

type Asked = SignOutOptions & { count: number; isRefused: boolean };

/** Signs the person out. If there are unsent scans on this device, a dialog first asks what to do with them. */
export function useSignOut(): { signOut: (options?: SignOutOptions) => Promise<void>; dialog: ReactNode } {
  const session = useSessionControl();
  const api = useTRPCClient();
  const signedIn = useSession();
  const owner = ownerOf(signedIn);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isSending, setSending] = useState(false);

  async function leave({ everywhere = false }: SignOutOptions): Promise<void> {
    setAsked(null);
    try {
      await session.signOut({ everywhere });
    } catch (error) {
      const { title, detail } = problemOf(error);
      notifications.show({ color: 'red', title, message: detail });
    }
  }

  async function signOut(options: SignOutOptions = {}): Promise<void> {
    const count = signedIn.can('operator') ? await unsentCount(owner) : 0;
    if (count === 0) await leave(options);
    else setAsked({ ...options, count, isRefused: false });
  }

  async function sendAndLeave(options: SignOutOptions): Promise<void> {
    setSending(true);
    try {
      const { sendUnsentScans } = await import('../scanning/leaving.js');
      const count = await sendUnsentScans(api, owner);
      if (count === 0) await leave(options);
      else setAsked({ ...options, count, isRefused: true });
    } finally {
      setSending(false);
    }
  }

  const dialog = (
    <Modal opened={asked !== null} onClose={() => setAsked(null)} title={t`Unsent scans`}>
      {asked && (
        <Stack>
          <Text>
            {asked.isRefused
              ? plural(asked.count, {
                  one: '# scanned item could not be sent. The scan page shows why.',
                  other: '# scanned items could not be sent. The scan page shows why.',
                })
              : plural(asked.count, {
                  one: '# scanned item on this device has not been sent.',
                  other: '# scanned items on this device have not been sent.',
                })}
          </Text>
          <Text>{t`If you keep them, they are sent when you sign in again on this device.`}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsked(null)}>{t`Cancel`}</Button>
            <Button variant="default" disabled={isSending} onClick={() => void leave(asked)}>
              <Trans>Keep and sign out</Trans>
            </Button>
            <Button loading={isSending} onClick={() => void sendAndLeave(asked)} data-autofocus>
              <Trans>Send and sign out</Trans>
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
  return { signOut, dialog };
}

/** Zero if the browser stores nothing. */
async function unsentCount(owner: string): Promise<number> {
  try {
    const { unsentScans } = await import('../scanning/leaving.js');
    return await unsentScans(owner);
  } catch {
    return 0;
  }
}
