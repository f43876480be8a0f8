import { t } from '@lingui/core/macro';
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import { FormModal } from '../../ui/form-modal.js';

/** Saves the present filters and columns as a view, for the person or, by managers, for the organization. */
export function SaveViewForm({ query, columns, onDone }: { query: string; columns: string[]; onDone: () => void }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const { can } = useSession();
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm({ initialValues: { name: '', is_shared: false } });

  async function save({ name, is_shared }: { name: string; is_shared: boolean }): Promise<void> {
    setProblem(null);
    try {
      await api.savedViews.create.mutate({ name: name.trim(), is_shared, query, columns });
      await answers.invalidateQueries(trpc.savedViews.pathFilter());
      notifications.show({ message: t`View ${name.trim()} saved` });
      onDone();
    } catch (error) {
      const refused = applyProblem(form, error);
      if (refused?.type === 'conflict') form.setFieldError('name', refused.detail);
      else setProblem(refused);
    }
  }

  return (
    <FormModal isDirty={form.isDirty()} onClose={onDone} title={t`Save view`}>
      <form onSubmit={form.onSubmit(save)} noValidate aria-label={t`Save view`}>
        <Stack>
          <Text size="sm" c="dimmed">{t`Saves the current filters, sorting and columns.`}</Text>
          <TextInput label={t`Name`} required maxLength={255} data-autofocus {...form.getInputProps('name')} />
          {can('manager') && (
            <Checkbox
              label={t`Share with everyone in the organization`}
              {...form.getInputProps('is_shared', { type: 'checkbox' })}
            />
          )}
          <FormProblem problem={problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onDone}>{t`Cancel`}</Button>
            <Button type="submit" loading={form.submitting}>{t`Save view`}</Button>
          </Group>
        </Stack>
      </form>
    </FormModal>
  );
}
