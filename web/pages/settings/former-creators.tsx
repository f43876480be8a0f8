import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useServer } from '../../api/use-server.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';

/** Active keys of people who are no longer members, with a button for each person that revokes all their keys. */
export function FormerCreators() {
  const { trpc, api, refresh } = useServer();
  const { data } = useQuery(trpc.apiKeys.listFormerCreators.queryOptions());
  if (!data || data.data.length === 0) return null;

  async function revoke(userId: number): Promise<void> {
    await api.apiKeys.revokeOfMember.mutate({ user_id: userId });
    await refresh(trpc.apiKeys);
  }

  return (
    <Alert color="orange" icon={<IconAlertTriangle />} title={t`Keys of former members`}>
      <Stack gap="xs">
        {data.data.map(({ user_id, name, active_keys: count }) => (
          <Group key={user_id} justify="space-between">
            <Text size="sm">
              {count === 1 ? (
                <Trans>
                  <UserText>{name}</UserText> is no longer a member and created 1 key that is still active.
                </Trans>
              ) : (
                <Trans>
                  <UserText>{name}</UserText> is no longer a member and created {numberText(count)} keys that are still
                  active.
                </Trans>
              )}
            </Text>
            <ConfirmButton
              size="xs"
              question={t`Revoke ${quantity(count, 'key')}?`}
              consequence={
                count === 1 ? (
                  <Trans>
                    Requests with the key that <UserText>{name}</UserText> created will be rejected immediately. This
                    can’t be undone.
                  </Trans>
                ) : (
                  <Trans>
                    Requests with the keys that <UserText>{name}</UserText> created will be rejected immediately. This
                    can’t be undone.
                  </Trans>
                )
              }
              confirm={t`Revoke all`}
              onConfirm={() => revoke(user_id)}
            >
              <Trans>
                Revoke all<VisuallyHidden> keys of {name}</VisuallyHidden>
              </Trans>
            </ConfirmButton>
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}
