import { t } from '@lingui/core/macro';
import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useTRPCClient } from '../../api/trpc.js';
import { LocationSelect } from '../../ui/location-select.js';
import type { Choice } from '../../ui/search-select.js';
import { FormModal } from '../../ui/form-modal.js';
import { LocationFields, type LocationValues } from './location-fields.js';
import { useRefreshLocations } from './use-move.js';

type NewLocationDialogProps = {
  parent: { id: number; name: string } | null;
  onClose: () => void;
  onCreated: (location: { id: number; parentId: number | null }) => void;
};

/** Creates a location, at the top level or in another location. */
export function NewLocationDialog({ parent, onClose, onCreated }: NewLocationDialogProps) {
  const api = useTRPCClient();
  const refresh = useRefreshLocations();
  const form = useForm<LocationValues>({
    initialValues: { name: '', external_key: '', description: '', is_active: true },
  });
  const [parentChoice, setParentChoice] = useState<Choice | null>(
    parent ? { id: parent.id, label: parent.name } : null,
  );
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function create({ name, external_key, description, is_active }: LocationValues): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      const { data } = await api.locations.create.mutate({
        name: name.trim(),
        is_active,
        ...(external_key.trim() === '' ? {} : { external_key: external_key.trim() }),
        ...(description === '' ? {} : { description }),
        ...(parentChoice === null ? {} : { parent_id: parentChoice.id }),
      });
      await refresh();
      notifications.show({ message: t`${data.name} was created` });
      onCreated({ id: data.id, parentId: data.parent_id });
    } catch (error) {
      setProblem(applyProblem(form, error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <FormModal isDirty={form.isDirty()} onClose={onClose} title={t`New location`}>
      <form onSubmit={form.onSubmit((values) => void create(values))}>
        <Stack>
          <LocationFields form={form} keyHint={t`Leave blank for the next free key, such as LOC-0001.`} />
          <LocationSelect
            label={t`In`}
            description={t`Leave blank for a top-level location.`}
            value={parentChoice}
            onChange={setParentChoice}
          />
          <FormProblem problem={problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
            <Button type="submit" loading={isBusy}>{t`Create location`}</Button>
          </Group>
        </Stack>
      </form>
    </FormModal>
  );
}
