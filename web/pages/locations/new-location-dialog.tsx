import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { useServer } from '../../api/use-server.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { LocationSelect } from '../../ui/location-select.js';
import type { Choice } from '../../ui/search-select.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { LocationFields, type LocationValues } from './location-fields.js';

type NewLocationDialogProps = {
  parent: { id: number; name: string } | null;
  onClose: () => void;
  onCreated: (location: { id: number; parentId: number | null }) => void;
};

type Values = LocationValues & { parent: Choice | null };

/** Creates a location, at the top level or in another location. */
export function NewLocationDialog({ parent, onClose, onCreated }: NewLocationDialogProps) {
  const { trpc, api, refresh } = useServer();
  const form = useServerForm<Values>({
    initialValues: {
      name: '',
      external_key: '',
      description: '',
      is_active: true,
      parent: parent && { id: parent.id, label: parent.name },
    },
    send: create,
    fieldNames: { parent_id: 'parent' },
  });

  async function create({ name, external_key, description, is_active, parent: chosen }: Values): Promise<void> {
    const { data } = await api.locations.create.mutate({
      name: name.trim(),
      is_active,
      ...(external_key.trim() === '' ? {} : { external_key: external_key.trim() }),
      ...(description === '' ? {} : { description }),
      ...(chosen === null ? {} : { parent_id: chosen.id }),
    });
    await refresh(trpc.locations);
    notifications.show({ message: t`${data.name} was created` });
    onCreated({ id: data.id, parentId: data.parent_id });
  }

  return (
    <FormDialog form={form} title={t`New location`} submit={t`Create location`} onClose={onClose}>
      <LocationFields form={form} keyHint={t`Leave blank for the next free key, such as LOC-0001.`} />
      <LocationSelect
        label={t`In`}
        description={t`Leave blank for a top-level location.`}
        {...form.getInputProps('parent')}
        value={form.values.parent}
      />
    </FormDialog>
  );
}
