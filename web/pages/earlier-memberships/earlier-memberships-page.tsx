import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Loader, Radio, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormProblem } from '../../api/server-form.js';
import type { Outputs } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { useSession, useSessionControl } from '../../session/context.js';
import { roleInSentence } from '../../session/roles.js';
import { Entrance } from '../../shell/entrance.js';
import { useSignOut } from '../../shell/use-sign-out.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';

type EarlierMembership = Outputs['session']['earlierMemberships']['data'][number];

type Choice = 'keep' | 'leave';

/**
 * Asks a person whose account was made before they proved its address which of its organizations to keep. It is shown
 * instead of every page of the app until they have chosen.
 */
export function EarlierMembershipsPage() {
  const { trpc, api } = useServer();
  const session = useSessionControl();
  const { user } = useSession();
  const { signOut, dialog } = useSignOut();
  const me = useQuery(trpc.session.me.queryOptions());
  const { data: memberships, error } = useQuery(trpc.session.earlierMemberships.queryOptions());
  const [choices, setChoices] = useState<ReadonlyMap<number, Choice>>(new Map());
  const listed = memberships?.data ?? [];
  const hasNoOther = me.data?.organizations.length === listed.length;
  const isComplete = listed.length > 0 && listed.every(({ organization }) => choices.has(organization.id));

  const choose = useMutation({
    mutationFn: async () => {
      const answer = await api.session.chooseMemberships.mutate(
        { choices: [...choices].map(([id, choice]) => ({ organization_id: id, keeps: choice === 'keep' })) },
        { context: { alone: true } },
      );
      if (answer.session) session.enter(answer.session);
      else {
        notifications.show({ message: t`You left all organizations. The account was deleted.` });
        session.forget();
      }
    },
  });

  return (
    <Entrance
      title={t`What happened before you confirmed your address`}
      description={
        <Trans>
          The account with the address <UserText>{user.email}</UserText> was made before anybody had confirmed the
          address. Its password, sessions and API keys from that time are removed. If you did not join these
          organizations yourself, leave them: their administrators see what you do there.
        </Trans>
      }
    >
      <Text size="sm">
        <Trans>
          The account is named <UserText>{user.name}</UserText>. You can change the name under Account.
        </Trans>
      </Text>
      {!memberships && !error && <Loader aria-label={t`Loading`} />}
      <Stack gap="lg">
        {listed.map((membership) => (
          <Question
            key={membership.organization.id}
            membership={membership}
            choice={choices.get(membership.organization.id) ?? null}
            onChoose={(choice) => setChoices(new Map(choices).set(membership.organization.id, choice))}
          />
        ))}
      </Stack>
      {isComplete && [...choices.values()].every((choice) => choice === 'leave') && hasNoOther && (
        <Text size="sm">{t`You are in no other organization, so the account is deleted.`}</Text>
      )}
      <FormProblem error={choose.error ?? error} />
      <Group justify="space-between">
        <Button variant="subtle" onClick={() => void signOut()}>{t`Sign out`}</Button>
        <Button loading={choose.isPending} disabled={!isComplete} onClick={() => choose.mutate()}>{t`Continue`}</Button>
      </Group>
      {dialog}
    </Entrance>
  );
}

type QuestionProps = {
  membership: EarlierMembership;
  choice: Choice | null;
  onChoose: (choice: Choice) => void;
};

function Question({ membership, choice, onChoose }: QuestionProps) {
  const { organization, role, other_administrators: administrators, other_member_count: others } = membership;
  const isLastAdministrator = role === 'admin' && administrators.length === 0 && others > 0;
  return (
    <Radio.Group
      label={<UserText>{organization.name}</UserText>}
      description={<Facts membership={membership} />}
      value={choice}
      onChange={(value) => onChoose(value)}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="keep" label={t`Keep`} description={t`You stay in it as ${roleInSentence(role)}.`} />
        <Radio
          value="leave"
          disabled={isLastAdministrator}
          label={t`Leave`}
          description={leaveText(membership, isLastAdministrator)}
        />
      </Stack>
    </Radio.Group>
  );
}

function leaveText({ other_member_count: others }: EarlierMembership, isLastAdministrator: boolean): string {
  if (isLastAdministrator) {
    return t`You are its only administrator. Keep it, and make another member administrator before you leave it.`;
  }
  return others === 0 ? t`Nobody can open it afterwards.` : t`You see nothing of it any more.`;
}

/** What the account did, and who else is in the organization. */
function Facts({ membership }: { membership: EarlierMembership }) {
  const { role, joined_at: joinedAt, is_creator: isCreator } = membership;
  return (
    <>
      {isCreator ? (
        <Trans>
          The account made this organization (<When at={joinedAt} />
          ).
        </Trans>
      ) : (
        <Trans>
          The account joined this organization as {roleInSentence(role)} (<When at={joinedAt} />
          ).
        </Trans>
      )}{' '}
      <Others membership={membership} />
    </>
  );
}

function Others({ membership }: { membership: EarlierMembership }) {
  const { other_administrators: administrators, other_member_count: others } = membership;
  if (others === 0) return t`It has no other member.`;
  if (administrators.length === 0) return t`It has other members, but no other administrator.`;
  const names = administrators.map(({ name, email }) => `${name} (${email})`).join(', ');
  return (
    <Trans>
      Other administrators: <UserText>{names}</UserText>
    </Trans>
  );
}
