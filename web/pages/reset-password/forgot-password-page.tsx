import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useSessionControl } from '../../session/context.js';
import { Entrance } from '../../shell/entrance.js';
import { AnchorLink } from '../../ui/links.js';
import { UserText } from '../../ui/user-text.js';

/** Asks for an email with a link to choose another password. */
export function ForgotPasswordPage() {
  const { openApi } = useSessionControl();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [address, setAddress] = useState<string | null>(null);
  const form = useForm({ initialValues: { email: '' } });

  async function request(values: { email: string }): Promise<void> {
    setProblem(null);
    try {
      await openApi.session.requestPasswordReset.mutate(values);
      setAddress(values.email.trim());
    } catch (error) {
      setProblem(applyProblem(form, error));
    }
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
      <form onSubmit={form.onSubmit(request)} noValidate>
        <Stack>
          <TextInput
            label={t`Email address`}
            type="email"
            autoComplete="username"
            autoFocus
            required
            {...form.getInputProps('email')}
          />
          <FormProblem problem={problem} />
          <Button type="submit" loading={form.submitting}>{t`Send link`}</Button>
        </Stack>
      </form>
      <BackToSignIn />
    </Entrance>
  );
}

function BackToSignIn() {
  return <AnchorLink to="/sign-in" size="sm">{t`Back to sign in`}</AnchorLink>;
}
