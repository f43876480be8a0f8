import { t } from '@lingui/core/macro';
import { Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useServer } from '../../api/use-server.js';
import { useSession } from '../../session/context.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ServerForm } from '../../ui/server-form.js';
import { exactTime, useNow } from '../../ui/times.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { type Expiration, expirationChoices, expiryOf, type KeyScope, scopeChoices } from './key-choices.js';
import type { CreatedKeyProps } from './created-key.js';

export type NewApiKeyFormProps = { onCreated: (key: CreatedKeyProps) => void; name?: string; scopes?: KeyScope[] };

type Values = { name: string; scopes: KeyScope[]; expiration: Expiration; expires_at: string; organization_id: string };

/** Name, scopes, expiry and organization of a new key. */
export function NewApiKeyForm({ onCreated, name = '', scopes = [] }: NewApiKeyFormProps) {
  const { trpc, api, refresh } = useServer();
  const { organization } = useSession();
  const me = useQuery(trpc.session.me.queryOptions());
  const mine = (me.data?.organizations ?? [organization]).filter(({ role }) => role === 'admin');
  const form = useServerForm<Values>({
    initialValues: { name, scopes, expiration: '90', expires_at: '', organization_id: String(organization.id) },
    send: create,
  });
  const guard = useLeaveGuard(form.isDirty());
  const now = useNow();
  const expiry = expiryOf(form.values.expiration, form.values.expires_at, new Date(now));

  async function create(values: Values): Promise<void> {
    const end = expiryOf(values.expiration, values.expires_at, new Date());
    if (end === undefined) {
      form.setFieldError('expires_at', t`Choose the last day of the key`);
      return;
    }
    const key = await api.apiKeys.create.mutate({
      name: values.name,
      scopes: values.scopes,
      expires_at: end && end.toISOString(),
      organization_id: Number(values.organization_id),
    });
    const organizationName = mine.find(({ id }) => String(id) === values.organization_id)?.name ?? '';
    guard.release();
    onCreated({ name: key.name, organizationName, token: key.token });
    void refresh(trpc.apiKeys, trpc.organizations);
  }

  return (
    <ServerForm form={form} submit={t`Create key`}>
      <TextInput
        label={t`Name`}
        description={t`Which system will use it, such as “Warehouse system”.`}
        required
        {...form.getInputProps('name')}
      />
      <Checkbox.Group
        label={t`Scopes`}
        description={t`What the key can do. Choose only what the other system needs.`}
        required
        {...form.getInputProps('scopes')}
      >
        <Stack gap="xs" mt="xs">
          {scopeChoices.map(({ value, summary }) => (
            <Checkbox key={value} value={value} label={value} description={summary} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <NativeSelect label={t`Expires`} data={[...expirationChoices]} {...form.getInputProps('expiration')} />
        {form.values.expiration === 'date' && (
          <TextInput type="date" label={t`Last day`} required {...form.getInputProps('expires_at')} />
        )}
      </Group>
      <Text size="sm" c="dimmed" aria-live="polite">
        {expiry === null && t`This key never expires. You can revoke it at any time.`}
        {expiry && t`Expires ${exactTime(expiry.getTime())}.`}
      </Text>
      <NativeSelect
        label={t`Organization`}
        data={mine.map(({ id, name: label }) => ({ value: String(id), label }))}
        {...form.getInputProps('organization_id')}
      />
      {guard.question}
    </ServerForm>
  );
}
