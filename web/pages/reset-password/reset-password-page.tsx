import { t } from '@lingui/core/macro';
import { PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { useSessionControl } from '../../session/context.js';
import { IncompleteLink, incompleteTitle, useMailedToken } from '../../session/incomplete-link.js';
import { Entrance } from '../../shell/entrance.js';
import { AnchorLink, ButtonLink } from '../../ui/links.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';

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
  const [isDone, setDone] = useState(false);
  const form = useServerForm({ initialValues: { new_password: '' }, send: reset });

  async function reset(values: { new_password: string }): Promise<void> {
    await openApi.session.resetPassword.mutate({ token, ...values });
    setDone(true);
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
      <ServerForm
        form={{ ...form, problem: form.problem && problemOfLink(form.problem) }}
        submit={t`Change password`}
        isWide
      >
        <PasswordInput
          label={t`New password`}
          description={t`At least 8 characters.`}
          autoComplete="new-password"
          autoFocus
          required
          {...form.getInputProps('new_password')}
        />
      </ServerForm>
      <AnchorLink to="/forgot-password" size="sm">{t`Request another link`}</AnchorLink>
    </Entrance>
  );
}

/** A link that is over says nothing about the password. */
function problemOfLink(problem: Problem): Problem {
  return problem.type === 'not_found' ? { ...problem, title: t`Password not changed` } : problem;
}
