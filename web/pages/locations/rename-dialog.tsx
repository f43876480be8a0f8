import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useServer } from '../../api/use-server.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { useServerForm } from '../../ui/use-server-form.js';
import type { TreeNode } from './tree-context.js';

/** Gives a location another name. Its key, and everything in it, stays unchanged. */
export function RenameDialog({ location, onClose }: { location: TreeNode; onClose: () => void }) {
  const { trpc, api, refresh } = useServer();
  const form = useServerForm({ initialValues: { name: location.name }, send: save });

  async function save({ name }: { name: string }): Promise<void> {
    const { data } = await api.locations.update.mutate({
      location_id: location.id,
      updated_at: location.updated_at,
      name: name.trim(),
    });
    await refresh(trpc.locations);
    notifications.show({ message: t`Renamed to ${data.name}` });
    onClose();
  }

  return (
    <FormDialog form={form} title={t`Rename ${location.name}`} submit={t`Rename`} onClose={onClose}>
      <TextInput label={t`Name`} data-autofocus {...form.getInputProps('name')} />
    </FormDialog>
  );
}
