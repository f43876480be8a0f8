import { t } from '@lingui/core/macro';
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Problem } from '../api/errors.js';
import { applyProblem, FormProblem } from '../api/server-form.js';
import { useSessionControl } from './context.js';

/** The form for email address and password. The input stays if the service rejects it or is unavailable. */
export function SignInForm({ email = '', onEntered }: { email?: string; onEntered?: () => void }) {
  const session = useSessionControl();
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm({ initialValues: { email, password: '' } });

  async function signIn(values: { email: string; password: string }): Promise<void> {
    setProblem(null);
    try {
      session.enter(await session.openApi.session.signIn.mutate(values));
      onEntered?.();
    } catch (error) {
      setProblem(applyProblem(form, error));
    }
  }

  return (
    <form onSubmit={form.onSubmit(signIn)} noValidate>
      <Stack>
        <TextInput
          label={t`Email address`}
          type="email"
          autoComplete="username"
          autoFocus={email === ''}
          required
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t`Password`}
          autoComplete="current-password"
          autoFocus={email !== ''}
          required
          {...form.getInputProps('password')}
        />
        <FormProblem problem={problem} />
        <Button type="submit" loading={form.submitting}>{t`Sign in`}</Button>
      </Stack>
    </form>
  );
}
