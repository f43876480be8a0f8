import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { refreshQueries } from '../../api/refresh.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { SkipButton } from './skip-button.js';
import type { StepProps } from './step-props.js';

export function LocationStep({ onNext }: StepProps) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const form = useServerForm({ initialValues: { name: '' }, send: create });
  const guard = useLeaveGuard(form.isDirty() && !form.submitting);

  async function create(values: { name: string }): Promise<void> {
    const { data } = await api.locations.create.mutate(values);
    await refreshQueries(answers, trpc.locations.pathFilter(), trpc.organizations.pathFilter());
    notifications.show({ message: t`${data.name} created (${data.external_key})` });
    form.reset();
    onNext();
  }

  return (
    <ServerForm form={form} submit={t`Create location`} others={<SkipButton onSkip={onNext} />}>
      <Text>
        <Trans>A place where assets can be: a room, a shelf, a gate. You can add sublocations later.</Trans>
      </Text>
      <TextInput label={t`Name`} placeholder={t`Goods in`} required {...form.getInputProps('name')} />
      {guard.question}
    </ServerForm>
  );
}
