import { t } from '@lingui/core/macro';
import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useSessionControl } from '../../session/context.js';
import { IncompleteLink, incompleteTitle, useMailedToken } from '../../session/incomplete-link.js';
import { Entrance } from '../../shell/entrance.js';
import { AnchorLink, ButtonLink } from '../../ui/links.js';

/** The page of the link in an email. */
export function ResetPasswordPage() {
  const token = useMailedToken('reset-password');
  if (token === null) {
    return (
      <Entrance title={incompleteTitle}>
        <IncompleteLink />
        <AnchorLink to="/forgot-password">{t`Request another link`}</AnchorLink>
      </Entrance>
    );
  }
  return <NewPassword token={token} />;
}

function NewPassword({ token }: { token: string }) {
  const { openApi } = useSessionControl();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isDone, setDone] = useState(false);
  const form = useForm({ initialValues: { new_password: '' } });

  async function reset(values: { new_password: string }): Promise<void> {
    setProblem(null);
    try {
      await openApi.session.resetPassword.mutate({ token, ...values });
      setDone(true);
    } catch (error) {
      const found = applyProblem(form, error);
      setProblem(found?.type === 'not_found' ? { ...found, title: t`Password not changed` } : found);
    }
  }

  if (isDone) {
    return (
      <Entrance title={t`Password changed`}>
        <Text role="status">{t`You are signed out everywhere. Sign in with your new password.`}</Text>
        <ButtonLink to="/sign-in">{t`Sign in`}</ButtonLink>
      </Entrance>
    );
  }
  return (
    <Entrance title={t`Choose a new password`}>
      <form onSubmit={form.onSubmit(reset)} noValidate>
        <Stack>
          <PasswordInput
            label={t`New password`}
            description={t`At least 8 characters.`}
            autoComplete="new-password"
            autoFocus
            required
            {...form.getInputProps('new_password')}
          />
          <FormProblem problem={problem} />
          <Button type="submit" loading={form.submitting}>{t`Change password`}</Button>
        </Stack>
      </form>
      <AnchorLink to="/forgot-password" size="sm">{t`Request another link`}</AnchorLink>
    </Entrance>
  );
}
