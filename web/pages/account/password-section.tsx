import { t } from '@lingui/core/macro';
import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { Section } from '../../ui/section.js';

/** Renders nothing for people who sign in only by single sign-on, since they have no password. */
export function PasswordSection() {
  const trpc = useTRPC();
  const { data: means } = useQuery(trpc.session.signInMeans.queryOptions());
  return means?.has_password === false ? null : <PasswordForm />;
}

function PasswordForm() {
  const api = useTRPCClient();
  const { user } = useSession();
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm({ initialValues: { current_password: '', new_password: '' } });
  const { question } = useLeaveGuard(form.isDirty());

  async function change(values: typeof form.values): Promise<void> {
    setProblem(null);
    try {
      await api.session.changePassword.mutate(values);
      form.reset();
      notifications.show({ message: t`Password changed. Your other devices are signed out.` });
    } catch (error) {
      setProblem(applyProblem(form, error));
    }
  }

  return (
    <Section title={t`Password`} description={t`Changing your password signs you out on all other devices.`}>
      <form onSubmit={form.onSubmit(change)} noValidate>
        <Stack>
          {/* Password managers look for the name that a password belongs to. */}
          <input type="text" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordInput
            label={t`Current password`}
            autoComplete="current-password"
            required
            {...form.getInputProps('current_password')}
          />
          <PasswordInput
            label={t`New password`}
            description={t`At least 8 characters.`}
            autoComplete="new-password"
            required
            {...form.getInputProps('new_password')}
          />
          <FormProblem problem={problem} />
          <Group>
            <Button type="submit" loading={form.submitting}>{t`Change password`}</Button>
          </Group>
        </Stack>
      </form>
      {question}
    </Section>
  );
}
