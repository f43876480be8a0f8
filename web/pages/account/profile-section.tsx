import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTRPCClient } from '../../api/trpc.js';
import { useSessionControl } from '../../session/context.js';
import type { Identity } from '../../session/identity.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { ConfirmAddress } from './confirm-address.js';
import { Section } from '../../ui/section.js';

export function ProfileSection({ user }: { user: Identity['user'] }) {
  const api = useTRPCClient();
  const session = useSessionControl();
  const form = useServerForm({ initialValues: { name: user.name }, send: save });
  const { question } = useLeaveGuard(form.isDirty());

  async function save(values: { name: string }): Promise<void> {
    await api.session.updateProfile.mutate(values);
    form.resetDirty();
    notifications.show({ message: t`Name saved` });
    // The name that the app shows is part of the session.
    await session.start();
  }

  return (
    <Section title={t`Profile`} description={t`Shown in all your organizations.`}>
      <ServerForm form={form} submit={t`Save name`} isDisabled={!form.isDirty()}>
        <TextInput label={t`Your name`} autoComplete="name" required {...form.getInputProps('name')} />
        <TextInput label={t`Email address`} value={user.email} readOnly description={t`You sign in with it.`} />
      </ServerForm>
      <ConfirmAddress />
      {question}
    </Section>
  );
}
