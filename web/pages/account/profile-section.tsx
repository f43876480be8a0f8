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
import { ConfirmAddress } from './confirm-address.js';
import { Section } from '../../ui/section.js';

export function ProfileSection({ user }: { user: Identity['user'] }) {
  const api = useTRPCClient();
  const session = useSessionControl();
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm({ initialValues: { name: user.name } });
  const { question } = useLeaveGuard(form.isDirty());

  async function save(values: typeof form.values): Promise<void> {
    setProblem(null);
    try {
      await api.session.updateProfile.mutate(values);
      form.resetDirty();
      notifications.show({ message: t`Name saved` });
      // The name that the app shows is part of the session.
      await session.start();
    } catch (error) {
      setProblem(applyProblem(form, error));
    }
  }

  return (
    <Section title={t`Profile`} description={t`Shown in all your organizations.`}>
      <form onSubmit={form.onSubmit(save)} noValidate>
        <Stack>
          <TextInput label={t`Your name`} autoComplete="name" required {...form.getInputProps('name')} />
          <TextInput label={t`Email address`} value={user.email} readOnly description={t`You sign in with it.`} />
          <FormProblem problem={problem} />
          <Group>
            <Button type="submit" loading={form.submitting} disabled={!form.isDirty()}>{t`Save name`}</Button>
          </Group>
        </Stack>
      </form>
      <ConfirmAddress />
      {question}
    </Section>
  );
}
