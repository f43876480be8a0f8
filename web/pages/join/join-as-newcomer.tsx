import { t } from '@lingui/core/macro';
import { SegmentedControl, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useSessionControl } from '../../session/context.js';
import { type NewPerson, noPerson, PersonFields } from '../../session/person-fields.js';
import { SignInForm } from '../../session/sign-in-form.js';
import { SignOnButton } from '../../session/sign-on-button.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';

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
  const form = useServerForm({ initialValues: { ...noPerson, email: email ?? '' }, send: join });

  async function join(person: NewPerson): Promise<void> {
    session.enter(await session.openApi.session.acceptInvitation.mutate({ token, person }));
    await navigate({ to: '/', replace: true });
  }

  return (
    <ServerForm form={form} submit={t`Create account and join`} isWide>
      <PersonFields form={form} isEmailFixed={email !== null} />
    </ServerForm>
  );
}
