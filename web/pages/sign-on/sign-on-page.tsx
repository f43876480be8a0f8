import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Center, Loader, PasswordInput, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { type Outputs, useTRPCClient } from '../../api/trpc.js';
import { useSessionControl, useSessionState } from '../../session/context.js';
import { Entrance } from '../../shell/entrance.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { AnchorLink } from '../../ui/links.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { UserText } from '../../ui/user-text.js';

type Asked = Extract<Outputs['session']['finishSignOn'], { kind: 'password_required' }>;

/**
 * The page to which the identity provider returns people: finishes the sign-on once, and continues to the page that
 * they wanted to open.
 */
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
      // A code works once; it should not stay in the history.
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

/**
 * Asks for the password of an account before it is connected. If somebody else made the account with the person's
 * address, the person can claim the account instead.
 */
function ConfirmPage({ asked }: { asked: Asked }) {
  const session = useSessionControl();
  const { status } = useSessionState();
  const api = useTRPCClient();
  const { history } = useRouter();
  const [isMailed, setMailed] = useState(false);
  const form = useServerForm({ initialValues: { password: '' }, send: confirm });
  const isConnecting = status === 'signed-in';

  async function confirm(values: { password?: string }): Promise<void> {
    const answer = await (isConnecting
      ? api.session.confirmSignOn.mutate(values, { context: { alone: true } })
      : session.openApi.session.confirmSignOn.mutate(values));
    if (answer.kind === 'mailed') {
      setMailed(true);
      return;
    }
    session.enter(answer);
    history.replace(answer.return_to);
  }

  if (isMailed) {
    return (
      <Entrance title={t`Check your email`}>
        <Text role="status">
          <Trans>
            We sent a link to <UserText>{asked.email}</UserText>. Open it in this browser within an hour to connect your
            account.
          </Trans>
        </Text>
        <AnchorLink to="/account">{t`Back to your account`}</AnchorLink>
      </Entrance>
    );
  }
  return (
    <Entrance
      title={t`Connect your account`}
      description={
        asked.can_claim ? (
          <Trans>
            An account with the address <UserText>{asked.email}</UserText> already exists. Enter its password once to
            connect it.
          </Trans>
        ) : (
          <Trans>
            Your address there is not <UserText>{asked.email}</UserText>, the address of your account. Enter your
            password, and we send a link to that address.
          </Trans>
        )
      }
    >
      <ServerForm form={form} submit={isConnecting ? t`Connect` : t`Connect and sign in`} isWide>
        <input type="text" autoComplete="username" value={asked.email} readOnly hidden />
        <PasswordInput
          label={t`Password`}
          autoComplete="current-password"
          autoFocus
          required
          {...form.getInputProps('password')}
        />
      </ServerForm>
      {asked.can_claim && (
        <ConfirmButton
          question={t`Continue without the password?`}
          consequence={t`The account becomes yours. Its password, its sessions and the API keys that it created are removed.`}
          confirm={t`Continue`}
          onConfirm={() => form.attempt(() => confirm({}))}
        >
          <Trans>I do not know the password</Trans>
        </ConfirmButton>
      )}
      {isConnecting ? (
        <AnchorLink to="/account" size="sm">{t`Back to your account`}</AnchorLink>
      ) : (
        <AnchorLink to="/sign-in" size="sm">{t`Back to sign in`}</AnchorLink>
      )}
    </Entrance>
  );
}
