import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Center, Loader, Text } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { problemOf } from '../../api/errors.js';
import { useSessionControl, useSessionState } from '../../session/context.js';
import { IncompleteLink, incompleteTitle, useMailedToken } from '../../session/incomplete-link.js';
import { roleInSentence } from '../../session/roles.js';
import { Entrance } from '../../shell/entrance.js';
import { AnchorLink } from '../../ui/links.js';
import { ProblemState } from '../../ui/problem-state.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { JoinAsMember } from './join-as-member.js';
import { JoinAsNewcomer } from './join-as-newcomer.js';

/** The page of an invitation link. */
export function JoinPage() {
  const token = useMailedToken('join');
  const { openApi } = useSessionControl();
  const state = useSessionState();
  const offer = useQuery({
    queryKey: ['invitation', token],
    queryFn: token === null ? skipToken : () => openApi.session.invitation.mutate({ token }),
  });
  if (token === null) {
    return (
      <Entrance title={incompleteTitle}>
        <IncompleteLink />
        <AnchorLink to="/">{t`Go to Whereabouts`}</AnchorLink>
      </Entrance>
    );
  }
  if (offer.error && problemOf(offer.error).type === 'not_found') return <OverPage />;
  if (offer.error) {
    return (
      <Entrance title={t`Invitation`}>
        <ProblemState error={offer.error} onRetry={() => void offer.refetch()} />
      </Entrance>
    );
  }
  if (!offer.data || state.status === 'starting') {
    return (
      <Center h="100dvh">
        <Loader aria-label={t`Loading`} />
      </Center>
    );
  }
  const { organization, role, email, expires_at } = offer.data;
  return (
    <Entrance
      title={t`Join ${organization.name}`}
      description={
        email === null ? (
          <Trans>
            You are invited as <strong>{roleInSentence(role)}</strong>. The invitation expires <When at={expires_at} />.
          </Trans>
        ) : (
          <Trans>
            You are invited as <strong>{roleInSentence(role)}</strong> with the address <UserText>{email}</UserText>.
            The invitation expires <When at={expires_at} />.
          </Trans>
        )
      }
    >
      {state.status === 'signed-in' ? (
        <JoinAsMember token={token} email={email} user={state.user} />
      ) : (
        <JoinAsNewcomer token={token} email={email} />
      )}
    </Entrance>
  );
}

/** The same page for wrong, used, revoked and expired links, so that it reveals nothing about them. */
function OverPage() {
  return (
    <Entrance title={t`This invitation is no longer valid`}>
      <Text>
        <Trans>
          An invitation link works once and expires after 7 days. It may also have been revoked. Ask the person who
          invited you for a new one.
        </Trans>
      </Text>
      <AnchorLink to="/">{t`Go to Whereabouts`}</AnchorLink>
    </Entrance>
  );
}
