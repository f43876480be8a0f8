import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTRPCClient } from '../../api/trpc.js';
import { useSessionControl } from '../../session/context.js';
import type { Identity } from '../../session/identity.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { Section } from '../../ui/section.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';

export function OrganizationSection({ organization }: { organization: Identity['organization'] }) {
  const api = useTRPCClient();
  const session = useSessionControl();
  const form = useServerForm({ initialValues: { name: organization.name }, send: save });
  const { question } = useLeaveGuard(form.isDirty());

  async function save(values: { name: string }): Promise<void> {
    await api.organizations.rename.mutate(values);
    form.resetDirty();
    notifications.show({ message: t`Organization renamed` });
    await session.start();
  }

  return (
    <Section id="organization" title={t`Organization`} description={t`All members see this name.`}>
      <ServerForm form={form} maw={560} submit={t`Rename organization`} isDisabled={!form.isDirty()}>
        <TextInput label={t`Name`} autoComplete="organization" required {...form.getInputProps('name')} />
      </ServerForm>
      {question}
    </Section>
  );
}
