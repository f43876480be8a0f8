import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, List, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { useSession, useSessionControl } from '../../session/context.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';

type Member = Outputs['members']['list']['data'][number];

const keysShownMax = 10;

/**
 * Removes a member after a confirmation. It lists the API keys that the member created, which can be revoked at the
 * same time.
 */
export function RemoveMemberButton({ member }: { member: Member }) {
  const { trpc, api, refresh } = useServer();
  const session = useSessionControl();
  const { user } = useSession();
  const [revokesKeys, setRevokesKeys] = useState(false);
  const isMe = member.user_id === user.id;

  async function remove(): Promise<void> {
    await api.members.remove.mutate({ user_id: member.user_id, revoke_api_keys: revokesKeys });
    if (isMe) await session.signOut();
    else {
      await refresh(trpc.members, trpc.apiKeys);
    }
  }

  return (
    <ConfirmButton
      size="xs"
      question={isMe ? t`Leave this organization?` : t`Remove this member?`}
      consequence={
        <Stack>
          <Text component="div">
            {isMe ? (
              t`You will be signed out, and you need a new invitation to return. Everything you created is kept.`
            ) : (
              <>
                <Trans>
                  <UserText>{member.name}</UserText> is signed out of this organization immediately. Everything they
                  created is kept.
                </Trans>
              </>
            )}
          </Text>
          <MemberKeys member={member} isRevoked={revokesKeys} onChange={setRevokesKeys} />
        </Stack>
      }
      confirm={isMe ? t`Leave` : t`Remove member`}
      onConfirm={remove}
    >
      {isMe ? t`Leave` : t`Remove`}
      {!isMe && <VisuallyHidden> {member.name}</VisuallyHidden>}
    </ConfirmButton>
  );
}

type MemberKeysProps = { member: Member; isRevoked: boolean; onChange: (isRevoked: boolean) => void };

/**
 * The active keys that a member created, and the choice to revoke all of them; renders nothing for a member without
 * keys.
 */
function MemberKeys({ member, isRevoked, onChange }: MemberKeysProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.apiKeys.listOfMember.queryOptions({ user_id: member.user_id }, { staleTime: 0 }));
  if (!data || data.data.length === 0) return null;
  const count = data.data.length;
  return (
    <Stack gap="xs">
      <Text size="sm">{t`Active API keys created by this member:`}</Text>
      <List size="sm">
        {data.data.slice(0, keysShownMax).map((key) => (
          <List.Item key={key.id}>
            <KeyUse name={key.name} at={key.last_used_at} />
          </List.Item>
        ))}
      </List>
      {count > keysShownMax && (
        <Text size="sm">
          <Trans>and {count - keysShownMax} more</Trans>
        </Text>
      )}
      <Checkbox
        label={count === 1 ? t`Revoke this key` : t`Revoke all ${count} keys`}
        description={t`Requests with a revoked key are rejected immediately. This can’t be undone.`}
        checked={isRevoked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Stack>
  );
}

function KeyUse({ name, at }: { name: string; at: string | null }) {
  return at === null ? (
    <Trans>
      <UserText>{name}</UserText> (never used)
    </Trans>
  ) : (
    <Trans>
      <UserText>{name}</UserText> (last used <When at={at} />)
    </Trans>
  );
}
