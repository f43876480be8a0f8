import { t } from '@lingui/core/macro';
import { Checkbox, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { problemOf } from '../../api/errors.js';
import { useServer } from '../../api/use-server.js';
import { useSession } from '../../session/context.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { useServerForm } from '../../ui/use-server-form.js';

/** Saves the present filters and columns as a view, for the person or, by managers, for the organization. */
export function SaveViewForm({ query, columns, onDone }: { query: string; columns: string[]; onDone: () => void }) {
  const { trpc, api, refresh } = useServer();
  const { can } = useSession();
  const form = useServerForm({ initialValues: { name: '', is_shared: false }, send: save });

  async function save({ name, is_shared }: { name: string; is_shared: boolean }): Promise<void> {
    try {
      await api.savedViews.create.mutate({ name: name.trim(), is_shared, query, columns });
    } catch (error) {
      const { type, fields, detail } = problemOf(error);
      if (type !== 'conflict' || fields.length > 0) throw error;
      form.setFieldError('name', detail);
      return;
    }
    await refresh(trpc.savedViews);
    notifications.show({ message: t`View ${name.trim()} saved` });
    onDone();
  }

  return (
    <FormDialog form={form} title={t`Save view`} aria-label={t`Save view`} submit={t`Save view`} onClose={onDone}>
      <Text size="sm" c="dimmed">{t`Saves the current filters, sorting and columns.`}</Text>
      <TextInput label={t`Name`} required maxLength={255} data-autofocus {...form.getInputProps('name')} />
      {can('manager') && (
        <Checkbox
          label={t`Share with everyone in the organization`}
          {...form.getInputProps('is_shared', { type: 'checkbox' })}
        />
      )}
    </FormDialog>
  );
}
