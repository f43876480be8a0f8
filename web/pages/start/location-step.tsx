import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { refreshQueries } from '../../api/refresh.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { SkipButton } from './skip-button.js';
import type { StepProps } from './step-props.js';

export function LocationStep({ onNext }: StepProps) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm({ initialValues: { name: '' } });
  const guard = useLeaveGuard(form.isDirty() && !form.submitting);

  async function create(values: typeof form.values): Promise<void> {
    setProblem(null);
    try {
      const { data } = await api.locations.create.mutate(values);
      await refreshQueries(answers, trpc.locations.pathFilter(), trpc.organizations.pathFilter());
      notifications.show({ message: t`${data.name} created (${data.external_key})` });
      form.reset();
      onNext();
    } catch (error) {
      setProblem(applyProblem(form, error));
    }
  }

  return (
    <form onSubmit={form.onSubmit(create)} noValidate>
      <Stack>
        <Text>
          <Trans>A place where assets can be: a room, a shelf, a gate. You can add sublocations later.</Trans>
        </Text>
        <TextInput label={t`Name`} placeholder={t`Goods in`} required {...form.getInputProps('name')} />
        <FormProblem problem={problem} />
        <Group>
          <Button type="submit" loading={form.submitting}>{t`Create location`}</Button>
          <SkipButton onSkip={onNext} />
        </Group>
      </Stack>
      {guard.question}
    </form>
  );
}
