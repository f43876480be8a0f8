import { t } from '@lingui/core/macro';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useTRPCClient } from '../../api/trpc.js';
import { FormModal } from '../../ui/form-modal.js';
import type { TreeNode } from './tree-context.js';
import { useRefreshLocations } from './use-move.js';

/** Gives a location another name. Its key, and everything in it, stays unchanged. */
export function RenameDialog({ location, onClose }: { location: TreeNode; onClose: () => void }) {
  const api = useTRPCClient();
  const refresh = useRefreshLocations();
  const form = useForm({ initialValues: { name: location.name } });
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function save({ name }: { name: string }): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      const { data } = await api.locations.update.mutate({
        location_id: location.id,
        updated_at: location.updated_at,
        name: name.trim(),
      });
      await refresh();
      notifications.show({ message: t`Renamed to ${data.name}` });
      onClose();
    } catch (error) {
      setProblem(applyProblem(form, error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <FormModal isDirty={form.isDirty()} onClose={onClose} title={t`Rename ${location.name}`}>
      <form onSubmit={form.onSubmit((values) => void save(values))}>
        <Stack>
          <TextInput label={t`Name`} data-autofocus {...form.getInputProps('name')} />
          <FormProblem problem={problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
            <Button type="submit" loading={isBusy}>{t`Rename`}</Button>
          </Group>
        </Stack>
      </form>
    </FormModal>
  );
}
