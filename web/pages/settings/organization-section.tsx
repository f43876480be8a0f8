import { t } from '@lingui/core/macro';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useTRPCClient } from '../../api/trpc.js';
import { useSessionControl } from '../../session/context.js';
import type { Identity } from '../../session/identity.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { Section } from '../../ui/section.js';

export function OrganizationSection({ organization }: { organization: Identity['organization'] }) {
  const api = useTRPCClient();
  const session = useSessionControl();
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm({ initialValues: { name: organization.name } });
  const { question } = useLeaveGuard(form.isDirty());

  async function save(values: typeof form.values): Promise<void> {
    setProblem(null);
    try {
      await api.organizations.rename.mutate(values);
      form.resetDirty();
      notifications.show({ message: t`Organization renamed` });
      await session.start();
    } catch (error) {
      setProblem(applyProblem(form, error));
    }
  }

  return (
    <Section id="organization" title={t`Organization`} description={t`All members see this name.`}>
      <form onSubmit={form.onSubmit(save)} noValidate>
        <Stack maw={560}>
          <TextInput label={t`Name`} autoComplete="organization" required {...form.getInputProps('name')} />
          <FormProblem problem={problem} />
          <Group>
            <Button type="submit" loading={form.submitting} disabled={!form.isDirty()}>{t`Rename organization`}</Button>
          </Group>
        </Stack>
      </form>
      {question}
    </Section>
  );
}
