import { t } from '@lingui/core/macro';
import { PasswordInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { Section } from '../../ui/section.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';

/** Renders nothing for people who sign in only by single sign-on, since they have no password. */
export function PasswordSection() {
  const trpc = useTRPC();
  const { data: means } = useQuery(trpc.session.signInMeans.queryOptions());
  return means?.has_password === false ? null : <PasswordForm />;
}

function PasswordForm() {
  const api = useTRPCClient();
  const { user } = useSession();
  const form = useServerForm({ initialValues: { current_password: '', new_password: '' }, send: change });
  const { question } = useLeaveGuard(form.isDirty());

  async function change(values: { current_password: string; new_password: string }): Promise<void> {
    await api.session.changePassword.mutate(values);
    form.reset();
    notifications.show({ message: t`Password changed. Your other devices are signed out.` });
  }

  return (
    <Section title={t`Password`} description={t`Changing your password signs you out on all other devices.`}>
      <ServerForm form={form} submit={t`Change password`}>
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
      </ServerForm>
      {question}
    </Section>
  );
}
