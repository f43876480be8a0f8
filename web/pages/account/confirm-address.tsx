import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PasswordInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';

/** Requests a mail with a link that confirms the address of the account; renders nothing once it is confirmed. */
export function ConfirmAddress() {
  const trpc = useTRPC();
  const { data: means } = useQuery(trpc.session.signInMeans.queryOptions());
  if (!means || means.is_email_proven || !means.has_password || !means.can_confirm_email) return null;
  return <ConfirmForm />;
}

function ConfirmForm() {
  const api = useTRPCClient();
  const [isMailed, setMailed] = useState(false);
  const form = useServerForm({ initialValues: { password: '' }, send: request });

  async function request(values: { password: string }): Promise<void> {
    await api.session.requestAddressConfirmation.mutate(values);
    setMailed(true);
  }

  if (isMailed) {
    return <Text role="status">{t`We sent you a link. Open it in this browser within an hour.`}</Text>;
  }
  return (
    <ServerForm form={form} submit={t`Send confirmation link`} variant="default">
      <Text size="sm">
        <Trans>
          Your email address is not confirmed. Until it is, choosing a new password by email removes the API keys that
          you created.
        </Trans>
      </Text>
      <PasswordInput
        label={t`Your password`}
        autoComplete="current-password"
        required
        {...form.getInputProps('password')}
      />
    </ServerForm>
  );
}
