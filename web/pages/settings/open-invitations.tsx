import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { roleName } from '../../session/roles.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import type { Column } from '../../ui/data-table.js';
import { ListTable } from '../../ui/list-table.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';

type Invitation = Outputs['members']['invitations']['data'][number];

export const invitationsPageSize = 20;

const columns: Column<Invitation>[] = [
  {
    id: 'invited',
    header: t`For`,
    cell: (row) => (
      <>
        {row.email === null ? t`Anyone with the link` : <UserText>{row.email}</UserText>}
        <Text size="xs" c="dimmed" component="div">
          {row.invited_by_name === null ? (
            <Trans>
              created <When at={row.created_at} />
            </Trans>
          ) : (
            <Trans>
              created <When at={row.created_at} /> by <UserText>{row.invited_by_name}</UserText>
            </Trans>
          )}
        </Text>
      </>
    ),
  },
  { id: 'role', header: t`Role`, cell: (row) => roleName(row.role) },
  { id: 'expires_at', header: t`Expires`, hideBelow: 'sm', cell: (row) => <When at={row.expires_at} /> },
  {
    id: 'act',
    header: () => <VisuallyHidden>{t`Revoke`}</VisuallyHidden>,
    align: 'end',
    cell: (row) => <RevokeButton invitation={row} />,
  },
];

/** Invitation links that are still valid; renders nothing if there are none. */
export function OpenInvitations() {
  const trpc = useTRPC();
  const [offset, setOffset] = useState(0);
  const invitations = useQuery(
    trpc.members.invitations.queryOptions(
      { limit: invitationsPageSize, offset },
      { placeholderData: (before) => before },
    ),
  );
  if (!invitations.data || invitations.data.total_count === 0) return null;
  return (
    <Stack>
      <Title order={3} size="h5">{t`Open invitations`}</Title>
      <ListTable
        query={invitations}
        caption={t`Open invitations`}
        columns={columns}
        rowId={({ id }) => String(id)}
        empty={null}
        paging={{ limit: invitationsPageSize, offset, unit: 'invitation', onPage: setOffset }}
      />
    </Stack>
  );
}

function RevokeButton({ invitation }: { invitation: Invitation }) {
  const { trpc, api, refresh } = useServer();

  async function revoke(): Promise<void> {
    await api.members.revokeInvitation.mutate({ id: invitation.id });
    await refresh(trpc.members);
  }

  return (
    <ConfirmButton
      size="xs"
      question={t`Revoke this invitation?`}
      consequence={t`Its link stops working.`}
      confirm={t`Revoke invitation`}
      onConfirm={revoke}
    >
      <Trans>Revoke</Trans>
      <VisuallyHidden>
        {' '}
        {invitation.email === null ? t`invitation of anyone with the link` : t`invitation of ${invitation.email}`}
      </VisuallyHidden>
    </ConfirmButton>
  );
}
