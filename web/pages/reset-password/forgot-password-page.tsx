import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSessionControl } from '../../session/context.js';
import { Entrance } from '../../shell/entrance.js';
import { AnchorLink } from '../../ui/links.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { UserText } from '../../ui/user-text.js';

/** Asks for an email with a link to choose another password. */
export function ForgotPasswordPage() {
  const { openApi } = useSessionControl();
  const [address, setAddress] = useState<string | null>(null);
  const form = useServerForm({ initialValues: { email: '' }, send: request });

  async function request(values: { email: string }): Promise<void> {
    await openApi.session.requestPasswordReset.mutate(values);
    setAddress(values.email.trim());
  }

  if (address !== null) {
    return (
      <Entrance title={t`Check your email`}>
        <Text role="status">
          <Trans>
            If <UserText>{address}</UserText> has an account, you will get an email with a link in a few minutes. The
            link can be used for one hour.
          </Trans>
        </Text>
        <BackToSignIn />
      </Entrance>
    );
  }
  return (
    <Entrance title={t`Forgot your password?`} description={t`We will email you a link to choose a new one.`}>
      <ServerForm form={form} submit={t`Send link`} isWide>
        <TextInput
          label={t`Email address`}
          type="email"
          autoComplete="username"
          autoFocus
          required
          {...form.getInputProps('email')}
        />
      </ServerForm>
      <BackToSignIn />
    </Entrance>
  );
}

function BackToSignIn() {
  return <AnchorLink to="/sign-in" size="sm">{t`Back to sign in`}</AnchorLink>;
}
