import { t } from '@lingui/core/macro';
import { Button, SegmentedControl, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useSessionControl } from '../../session/context.js';
import { noPerson, PersonFields } from '../../session/person-fields.js';
import { SignInForm } from '../../session/sign-in-form.js';
import { SignOnButton } from '../../session/sign-on-button.js';

const ways = [
  { value: 'new', label: t`Create an account` },
  { value: 'known', label: t`I have an account` },
];

export type JoinAsNewcomerProps = { token: string; email: string | null };

/** Joins with a new account, or signs in first. */
export function JoinAsNewcomer({ token, email }: JoinAsNewcomerProps) {
  const [way, setWay] = useState('new');
  return (
    <Stack>
      <SignOnButton returnTo="/" invitation={token} />
      <SegmentedControl data={ways} value={way} onChange={setWay} aria-label={t`Account`} />
      {way === 'new' ? <NewAccountForm token={token} email={email} /> : <SignInForm email={email ?? ''} />}
    </Stack>
  );
}

function NewAccountForm({ token, email }: JoinAsNewcomerProps) {
  const session = useSessionControl();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm({ initialValues: { ...noPerson, email: email ?? '' } });

  async function join(person: typeof form.values): Promise<void> {
    setProblem(null);
    try {
      session.enter(await session.openApi.session.acceptInvitation.mutate({ token, person }));
      await navigate({ to: '/', replace: true });
    } catch (error) {
      setProblem(applyProblem(form, error));
    }
  }

  return (
    <form onSubmit={form.onSubmit(join)} noValidate>
      <Stack>
        <PersonFields form={form} isEmailFixed={email !== null} />
        <FormProblem problem={problem} />
        <Button type="submit" loading={form.submitting}>{t`Create account and join`}</Button>
      </Stack>
    </form>
  );
}
