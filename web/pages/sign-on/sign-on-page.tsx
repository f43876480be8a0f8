import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Center, Loader, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { type Outputs, useTRPCClient } from '../../api/trpc.js';
import { useSessionControl, useSessionState } from '../../session/context.js';
import { Entrance } from '../../shell/entrance.js';
import { AnchorLink } from '../../ui/links.js';
import { UserText } from '../../ui/user-text.js';

type Asked = Extract<Outputs['session']['finishSignOn'], { kind: 'password_required' }>;

/** Where the identity provider sends people back to: finishes the sign-on once, and goes on to where they wanted to go. */
export function SignOnPage() {
  const session = useSessionControl();
  const { status } = useSessionState();
  const api = useTRPCClient();
  const { history } = useRouter();
  const isBegun = useRef(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  useEffect(() => {
    async function finish(): Promise<void> {
      const query = window.location.search.slice(1);
      // A code is good once; it should not stay in the history.
      window.history.replaceState(window.history.state, '', window.location.pathname);
      try {
        // A person who connects their account is signed in.
        const answer = await (status === 'signed-in'
          ? api.session.finishSignOn.mutate({ query }, { context: { alone: true } })
          : session.openApi.session.finishSignOn.mutate({ query }));
        if (answer.kind === 'password_required') setAsked(answer);
        else {
          if (answer.kind === 'entered') session.enter(answer);
          history.replace(answer.return_to);
        }
      } catch (error) {
        setProblem(problemOf(error));
      }
    }
    if (status === 'starting' || isBegun.current) return;
    isBegun.current = true;
    void finish();
  }, [status, api, session, history]);

  if (problem) return <FailedPage detail={problem.detail} />;
  if (asked) return <ConfirmPage asked={asked} />;
  return (
    <Center h="100dvh">
      <Loader aria-label={t`Signing in`} />
    </Center>
  );
}

function FailedPage({ detail }: { detail: string }) {
  return (
    <Entrance title={t`Sign-in failed`}>
      <Text role="alert">{detail}</Text>
      <AnchorLink to="/sign-in">{t`Back to sign in`}</AnchorLink>
    </Entrance>
  );
}

/** Asks for the password of the account that has the person's address, before the two are connected. */
function ConfirmPage({ asked }: { asked: Asked }) {
  const session = useSessionControl();
  const { history } = useRouter();
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm({ initialValues: { password: '' } });

  async function confirm(values: typeof form.values): Promise<void> {
    setProblem(null);
    try {
      const answer = await session.openApi.session.confirmSignOn.mutate(values);
      session.enter(answer);
      history.replace(answer.return_to);
    } catch (error) {
      setProblem(applyProblem(form, error));
    }
  }

  return (
    <Entrance
      title={t`Connect your account`}
      description={
        <>
          <Trans>
            An account with the address <UserText>{asked.email}</UserText> already exists. Enter its password once to
            connect it.
          </Trans>
        </>
      }
    >
      <form onSubmit={form.onSubmit(confirm)} noValidate>
        <Stack>
          <input type="text" autoComplete="username" value={asked.email} readOnly hidden />
          <PasswordInput
            label={t`Password`}
            autoComplete="current-password"
            autoFocus
            required
            {...form.getInputProps('password')}
          />
          <FormProblem problem={problem} />
          <Button type="submit" loading={form.submitting}>{t`Connect and sign in`}</Button>
        </Stack>
      </form>
      <AnchorLink to="/sign-in" size="sm">{t`Back to sign in`}</AnchorLink>
    </Entrance>
  );
}
