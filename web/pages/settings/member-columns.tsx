import { t } from '@lingui/core/macro';
import { Badge, Group, NativeSelect, Text, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { problemOf } from '../../api/errors.js';
import type { Outputs } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { type Role, useSession } from '../../session/context.js';
import { roleChoices, roleInSentence, roleName } from '../../session/roles.js';
import type { Column } from '../../ui/data-table.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { RemoveMemberButton } from './remove-member-button.js';

type Member = Outputs['members']['list']['data'][number];

const roleOptions = roleChoices.map(({ value, label }) => ({ value, label }));

export const memberColumns: Column<Member>[] = [
  { id: 'name', header: t`Member`, cell: (row) => <Who member={row} /> },
  { id: 'role', header: t`Role`, cell: (row) => <RoleChoice member={row} /> },
  { id: 'since', header: t`Joined`, hideBelow: 'sm', cell: (row) => <When at={row.created_at} /> },
  {
    id: 'act',
    header: () => <VisuallyHidden>{t`Remove`}</VisuallyHidden>,
    align: 'end',
    cell: (row) => <RemoveMemberButton member={row} />,
  },
];

function Who({ member }: { member: Member }) {
  const { user } = useSession();
  return (
    <>
      <Group gap="xs">
        <Text fw={550} component="span">
          <UserText>{member.name}</UserText>
        </Text>
        {member.user_id === user.id && <Badge color="gray">{t`You`}</Badge>}
        {member.has_sign_on && <Badge color="gray">{t`Single sign-on`}</Badge>}
      </Group>
      <Text size="xs" c="dimmed" component="div">
        <UserText>{member.email}</UserText>
      </Text>
    </>
  );
}

/** Administrators cannot change their own role, which prevents accidents; another administrator can. */
function RoleChoice({ member }: { member: Member }) {
  const { trpc, refresh } = useServer();
  const { user } = useSession();
  const change = useMutation(
    trpc.members.setRole.mutationOptions({
      onSuccess: (changed) => {
        notifications.show({ message: t`${member.name} is now ${roleInSentence(changed.role)}` });
      },
      onError: (error) => {
        const { title, detail } = problemOf(error);
        notifications.show({ color: 'red', title, message: detail });
      },
      onSettled: () => refresh(trpc.members),
    }),
  );
  if (member.user_id === user.id) return roleName(member.role);
  return (
    <NativeSelect
      size="xs"
      maw={160}
      aria-label={t`Role of ${member.name}`}
      data={roleOptions}
      value={change.isPending ? change.variables.role : member.role}
      disabled={change.isPending}
      onChange={(event) => change.mutate({ user_id: member.user_id, role: event.currentTarget.value as Role })}
    />
  );
}
