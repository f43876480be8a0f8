import { t } from '@lingui/core/macro';
import { PasswordInput, TextInput } from '@mantine/core';
import { ServerForm } from '../ui/server-form.js';
import { useServerForm } from '../ui/use-server-form.js';
import { useSessionControl } from './context.js';

/** The form for email address and password. The input stays if the service rejects it or is unavailable. */
export function SignInForm({ email = '', onEntered }: { email?: string; onEntered?: () => void }) {
  const session = useSessionControl();
  const form = useServerForm({ initialValues: { email, password: '' }, send: signIn });

  async function signIn(values: { email: string; password: string }): Promise<void> {
    session.enter(await session.openApi.session.signIn.mutate(values));
    onEntered?.();
  }

  return (
    <ServerForm form={form} submit={t`Sign in`} isWide>
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
    </ServerForm>
  );
}
