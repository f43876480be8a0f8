import { Alert, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { UserText } from '../../ui/user-text.js';

/** Active keys of people who are no longer members, and a button for each person that revokes all of theirs. */
export function FormerCreators() {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const { data } = useQuery(trpc.apiKeys.listFormerCreators.queryOptions());
  if (!data || data.data.length === 0) return null;

  async function revoke(userId: number): Promise<void> {
    await api.apiKeys.revokeOfMember.mutate({ user_id: userId });
    await answers.invalidateQueries(trpc.apiKeys.pathFilter());
  }

  return (
    <Alert color="orange" icon={<IconAlertTriangle />} title="Keys of former members">
      <Stack gap="xs">
        {data.data.map(({ user_id, name, active_keys: count }) => (
          <Group key={user_id} justify="space-between">
            <Text size="sm">
              <UserText>{name}</UserText> is no longer a member and created {keys(count)} that{' '}
              {count === 1 ? 'is' : 'are'} still active.
            </Text>
            <ConfirmButton
              size="xs"
              question={`Revoke ${keys(count)}?`}
              consequence={
                <>
                  Requests with the {count === 1 ? 'key' : 'keys'} that <UserText>{name}</UserText> created will be
                  rejected immediately. This can’t be undone.
                </>
              }
              confirm="Revoke all"
              onConfirm={() => revoke(user_id)}
            >
              Revoke all<VisuallyHidden> keys of {name}</VisuallyHidden>
            </ConfirmButton>
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}

function keys(count: number): string {
  return count === 1 ? '1 key' : `${count} keys`;
}
