import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import { RequireRole } from '../../session/require-role.js';
import { DataTable } from '../../ui/data-table.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { ProblemState } from '../../ui/problem-state.js';
import { InviteButton } from './invite-button.js';
import { OpenInvitations } from './open-invitations.js';
import { memberColumns } from './member-columns.js';

const pageSize = 50;

/** The members of the organization with their roles. */
export function MembersPage() {
  const { can } = useSession();
  return (
    <Page
      title={t`Members`}
      description={t`People in this organization and their roles.`}
      actions={can('admin') && <InviteButton />}
    >
      <RequireRole needs="admin">
        <MemberList />
        <OpenInvitations />
      </RequireRole>
    </Page>
  );
}

function MemberList() {
  const trpc = useTRPC();
  const [offset, setOffset] = useState(0);
  const members = useQuery(
    trpc.members.list.queryOptions({ limit: pageSize, offset }, { placeholderData: (before) => before }),
  );
  if (members.error) return <ProblemState error={members.error} onRetry={() => void members.refetch()} />;
  return (
    <Stack>
      <DataTable
        caption={t`Members`}
        columns={memberColumns}
        rows={members.data?.data}
        rowId={({ user_id }) => String(user_id)}
        expectedRows={2}
        isStale={members.isPlaceholderData}
        empty={null}
      />
      {members.data && members.data.total_count > pageSize && (
        <Pager limit={pageSize} offset={offset} total={members.data.total_count} unit="member" onPage={setOffset} />
      )}
    </Stack>
  );
}
