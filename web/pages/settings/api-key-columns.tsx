import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Group, Text, VisuallyHidden } from '@mantine/core';
import type { Outputs } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import type { Column } from '../../ui/data-table.js';
import { useNow } from '../../ui/times.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';

type ApiKey = Outputs['apiKeys']['list']['data'][number];

export const apiKeyColumns: Column<ApiKey>[] = [
  {
    id: 'name',
    header: t`Key`,
    cell: (key) => (
      <>
        <Text fw={550} component="div">
          <UserText>{key.name}</UserText>
        </Text>
        <Text size="xs" c="dimmed">
          <Created apiKey={key} />
        </Text>
      </>
    ),
  },
  {
    id: 'scopes',
    header: t`Scopes`,
    hideBelow: 'md',
    cell: (row) => (
      <Group gap={4}>
        {row.scopes.map((scope) => (
          <Badge key={scope} color="gray">
            {scope}
          </Badge>
        ))}
      </Group>
    ),
  },
  { id: 'last_used_at', header: t`Last used`, hideBelow: 'sm', cell: (row) => <When at={row.last_used_at} /> },
  { id: 'state', header: t`State`, cell: (row) => <KeyState apiKey={row} /> },
  {
    id: 'act',
    header: () => <VisuallyHidden>{t`Revoke`}</VisuallyHidden>,
    align: 'end',
    cell: (row) => <RevokeButton apiKey={row} />,
  },
];

function Created({ apiKey: { created_at: at, created_by: by } }: { apiKey: ApiKey }) {
  if (!by) {
    return (
      <Trans>
        created <When at={at} />
      </Trans>
    );
  }
  return by.is_member ? (
    <Trans>
      created <When at={at} /> by <UserText>{by.name}</UserText>
    </Trans>
  ) : (
    <Trans>
      created <When at={at} /> by <UserText>{by.name}</UserText> (no longer a member)
    </Trans>
  );
}

function isOver({ expires_at }: ApiKey, nowMs: number): boolean {
  return expires_at !== null && Date.parse(expires_at) <= nowMs;
}

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  const now = useNow();
  const { revoked_at, expires_at } = apiKey;
  if (revoked_at !== null) {
    return (
      <>
        <Badge color="red">{t`Revoked`}</Badge>
        <Text size="xs" c="dimmed">
          <When at={revoked_at} />
        </Text>
      </>
    );
  }
  if (isOver(apiKey, now)) {
    return (
      <>
        <Badge color="orange">{t`Expired`}</Badge>
        <Text size="xs" c="dimmed">
          <When at={expires_at} />
        </Text>
      </>
    );
  }
  return (
    <>
      <Badge color="green">{t`Active`}</Badge>
      <Text size="xs" c="dimmed">
        {expires_at === null ? (
          t`never expires`
        ) : (
          <>
            <Trans>
              expires <When at={expires_at} />
            </Trans>
          </>
        )}
      </Text>
    </>
  );
}

function RevokeButton({ apiKey }: { apiKey: ApiKey }) {
  const { trpc, api, refresh } = useServer();
  const now = useNow();
  if (apiKey.revoked_at !== null || isOver(apiKey, now)) return null;

  async function revoke(): Promise<void> {
    await api.apiKeys.revoke.mutate({ id: apiKey.id });
    await refresh(trpc.apiKeys);
  }

  return (
    <ConfirmButton
      size="xs"
      question={t`Revoke this key?`}
      consequence={
        <>
          <Trans>
            Requests with <UserText>{apiKey.name}</UserText> will be rejected immediately. This can’t be undone.
          </Trans>
        </>
      }
      confirm={t`Revoke key`}
      onConfirm={revoke}
    >
      <Trans>
        Revoke<VisuallyHidden> {apiKey.name}</VisuallyHidden>
      </Trans>
    </ConfirmButton>
  );
}
