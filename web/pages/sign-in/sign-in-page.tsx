import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSessionState } from '../../session/context.js';
import { SignInForm } from '../../session/sign-in-form.js';
import { Entrance } from '../../shell/entrance.js';

/** The way in; leads on to where the person wanted to go. */
export function SignInPage() {
  const { to = '/' } = useSearch({ from: '/sign-in' });
  const { history } = useRouter();
  const { status } = useSessionState();
  const isIn = status === 'signed-in';
  useEffect(() => {
    if (isIn) history.replace(to);
  }, [isIn, history, to]);
  return (
    <Entrance title="Sign in" description="Find out where your things are.">
      <SignInForm />
    </Entrance>
  );
}
