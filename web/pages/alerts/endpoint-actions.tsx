import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { problemOf } from '../../api/errors.js';
import { useServer } from '../../api/use-server.js';
import { ActionButton } from '../../ui/action-button.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import type { Endpoint } from './endpoint-status.js';
import { showUndoNotice } from '../../ui/undo-notice.js';
import { ShownSecret } from './shown-secret.js';

/** Actions on a webhook, besides changing its fields. */
export function EndpointActions({ endpoint: { id, name, is_enabled: isEnabled } }: { endpoint: Endpoint }) {
  const { trpc, api, refresh } = useServer();
  const navigate = useNavigate();
  const [busy, setBusy] = useState<'test' | 'enable'>();
  const [secret, setSecret] = useState<string>();

  async function act(what: 'test' | 'enable', work: () => Promise<unknown>): Promise<void> {
    setBusy(what);
    try {
      await work();
    } catch (error) {
      const { title, detail } = problemOf(error);
      notifications.show({ color: 'red', title, message: detail });
    }
    await refresh(trpc.webhooks);
    setBusy(undefined);
  }

  return (
    <>
      {isEnabled ? (
        <>
          <Button
            loading={busy === 'test'}
            onClick={() => void act('test', () => api.webhooks.sendTest.mutate({ id }))}
          >
            <Trans>Send test event</Trans>
          </Button>
          <ConfirmButton
            question={t`Disable “${name}”?`}
            consequence={t`No events are sent to it. Deliveries that are waiting are given up.`}
            confirm={t`Disable webhook`}
            onConfirm={async () => {
              await api.webhooks.update.mutate({ id, is_enabled: false });
              await refresh(trpc.webhooks);
            }}
          >
            <Trans>Disable</Trans>
          </ConfirmButton>
        </>
      ) : (
        <Button
          loading={busy === 'enable'}
          onClick={() => void act('enable', () => api.webhooks.update.mutate({ id, is_enabled: true }))}
        >
          <Trans>Enable</Trans>
        </Button>
      )}
      <ConfirmButton
        question={t`Rotate the signing secret?`}
        consequence={t`You get a new secret. For 24 hours, requests are signed with both, so the receiver can change over in that time.`}
        confirm={t`Rotate secret`}
        onConfirm={async () => {
          setSecret((await api.webhooks.rotateSecret.mutate({ id })).secret);
          await refresh(trpc.webhooks);
        }}
      >
        <Trans>Rotate secret</Trans>
      </ConfirmButton>
      <ActionButton
        onAct={async () => {
          await api.webhooks.delete.mutate({ id });
          await navigate({ to: '/alerts/webhooks', ignoreBlocker: true });
          await refresh(trpc.webhooks);
          showUndoNotice(t`${name} deleted`, async () => {
            await api.webhooks.restore.mutate({ id });
            await refresh(trpc.webhooks);
            return t`${name} restored`;
          });
        }}
      >
        <Trans>Delete</Trans>
      </ActionButton>
      <Modal
        opened={secret !== undefined}
        onClose={() => setSecret(undefined)}
        title={t`New signing secret`}
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        <Stack>
          <ShownSecret secret={secret ?? ''} />
          <Group justify="flex-end">
            <Button onClick={() => setSecret(undefined)}>{t`Done`}</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
