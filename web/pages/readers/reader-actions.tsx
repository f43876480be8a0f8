import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useServer } from '../../api/use-server.js';
import { ActionButton } from '../../ui/action-button.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { showUndoNotice } from '../../ui/undo-notice.js';
import { ConnectionPanel } from '../../readers/connection-panel.js';
import type { ReaderDetail } from '../../readers/formats.js';

/** The user name, and a new password on demand, which is shown only once. */
export function RotateSecret({ reader }: { reader: ReaderDetail }) {
  const { trpc, refresh } = useServer();
  const [password, setPassword] = useState<string>();
  const rotate = useMutation(trpc.readers.rotateSecret.mutationOptions());

  async function act(): Promise<void> {
    const { mqtt_password: next } = await rotate.mutateAsync({ id: reader.id });
    setPassword(next);
    void refresh(trpc.readers);
  }

  return (
    <Stack align="stretch">
      <ConnectionPanel reader={reader} password={password ?? null} />
      <Text size="sm" c="dimmed">{t`The password can’t be shown again.`}</Text>
      <ConfirmButton
        question={t`Create a new password?`}
        consequence={t`The current password stops working immediately. The reader stays disconnected until you enter the new one.`}
        confirm={t`Create password`}
        onConfirm={act}
      >
        <Trans>New password</Trans>
      </ConfirmButton>
    </Stack>
  );
}

/** Deletes a reader. */
export function DeleteReader({ reader }: { reader: ReaderDetail }) {
  const { trpc, refresh } = useServer();
  const navigate = useNavigate();
  const remove = useMutation(trpc.readers.delete.mutationOptions());
  const restore = useMutation(trpc.readers.restore.mutationOptions());

  async function act(): Promise<void> {
    await remove.mutateAsync({ id: reader.id });
    await navigate({ to: '/readers' });
    void refresh(trpc.readers);
    showUndoNotice(t`${reader.name} deleted`, async () => {
      await restore.mutateAsync({ id: reader.id });
      void refresh(trpc.readers);
      return t`${reader.name} restored`;
    });
  }

  return (
    <Stack>
      <Text size="sm" c="dimmed">{t`It is disconnected, and its user name stops working. Its reads are kept.`}</Text>
      <ActionButton color="red" variant="light" onAct={act}>{t`Delete reader`}</ActionButton>
    </Stack>
  );
}
