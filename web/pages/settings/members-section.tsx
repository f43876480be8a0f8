import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { DataTable } from '../../ui/data-table.js';
import { Pager } from '../../ui/pager.js';
import { ProblemState } from '../../ui/problem-state.js';
import { Section } from '../../ui/section.js';
import { InviteButton } from './invite-button.js';
import { memberColumns } from './member-columns.js';
import { OpenInvitations } from './open-invitations.js';

export const membersPageSize = 50;

/** The members of the organization with their roles, and the open invitations. */
export function MembersSection() {
  return (
    <Section
      id="members"
      title={t`Members`}
      description={t`People in this organization and their roles.`}
      action={<InviteButton />}
    >
      <MemberList />
      <OpenInvitations />
    </Section>
  );
}

function MemberList() {
  const trpc = useTRPC();
  const [offset, setOffset] = useState(0);
  const members = useQuery(
    trpc.members.list.queryOptions({ limit: membersPageSize, offset }, { placeholderData: (before) => before }),
  );
  if (members.error) return <ProblemState error={members.error} onRetry={() => void members.refetch()} />;
  return (
    <>
      <DataTable
        caption={t`Members`}
        columns={memberColumns}
        rows={members.data?.data}
        rowId={({ user_id }) => String(user_id)}
        expectedRows={2}
        isStale={members.isPlaceholderData}
        empty={null}
      />
      {members.data && members.data.total_count > membersPageSize && (
        <Pager
          limit={membersPageSize}
          offset={offset}
          total={members.data.total_count}
          unit="member"
          onPage={setOffset}
        />
      )}
    </>
  );
}
