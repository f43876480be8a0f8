import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { ListTable } from '../../ui/list-table.js';
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
  return (
    <ListTable
      query={members}
      caption={t`Members`}
      columns={memberColumns}
      rowId={({ user_id }) => String(user_id)}
      expectedRows={2}
      empty={null}
      paging={{ limit: membersPageSize, offset, unit: 'member', onPage: setOffset }}
    />
  );
}
