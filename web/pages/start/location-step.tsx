import { t } from '@lingui/core/macro';
import { Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useServer } from '../../api/use-server.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { SkipButton } from './skip-button.js';
import type { StepProps } from './step-props.js';

export function LocationStep({ onNext }: StepProps) {
  const { trpc, api, refresh } = useServer();
  const form = useServerForm({ initialValues: { name: '' }, send: create });
  const guard = useLeaveGuard(form.isDirty() && !form.submitting);

  async function create(values: { name: string }): Promise<void> {
    const { data } = await api.locations.create.mutate(values);
    await refresh(trpc.locations, trpc.organizations);
    notifications.show({ message: t`${data.name} created (${data.external_key})` });
    form.reset();
    onNext();
  }

  return (
    <ServerForm form={form} submit={t`Create location`} others={<SkipButton onSkip={onNext} />}>
      <Text>{t`A place where assets can be: a room, a shelf, a gate. You can add sublocations later.`}</Text>
      <TextInput label={t`Name`} placeholder={t`Goods in`} required {...form.getInputProps('name')} />
      {guard.question}
    </ServerForm>
  );
}
