import { Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { ConnectionPanel } from '../../readers/connection-panel.js';
import type { ReaderDetail } from '../../readers/formats.js';

/** The user name, and a new password on demand, shown this once. */
export function RotateSecret({ reader }: { reader: ReaderDetail }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [password, setPassword] = useState<string>();
  const rotate = useMutation(trpc.readers.rotateSecret.mutationOptions());

  async function act(): Promise<void> {
    const { mqtt_password: next } = await rotate.mutateAsync({ id: reader.id });
    setPassword(next);
    void queries.invalidateQueries(trpc.readers.pathFilter());
  }

  return (
    <Stack align="stretch">
      <ConnectionPanel reader={reader} password={password ?? null} />
      <Text size="sm" c="dimmed">
        The password can’t be shown again.
      </Text>
      <ConfirmButton
        question="Create a new password?"
        consequence="The current password stops working immediately. The reader stays disconnected until you enter the new one."
        confirm="Create password"
        onConfirm={act}
      >
        New password
      </ConfirmButton>
    </Stack>
  );
}

/** The end of a reader. */
export function DeleteReader({ reader }: { reader: ReaderDetail }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation(trpc.readers.delete.mutationOptions());

  async function act(): Promise<void> {
    await remove.mutateAsync({ id: reader.id });
    await navigate({ to: '/readers' });
    void queries.invalidateQueries(trpc.readers.pathFilter());
    notifications.show({ message: 'Reader deleted' });
  }

  return (
    <Stack>
      <Text size="sm" c="dimmed">
        It is disconnected permanently. Its reads are kept.
      </Text>
      <ConfirmButton
        color="red"
        variant="light"
        question="Delete this reader?"
        consequence="It is disconnected permanently, and its user name stops working. Its reads are kept."
        confirm="Delete reader"
        onConfirm={act}
      >
        Delete reader
      </ConfirmButton>
    </Stack>
  );
}
