import { t } from '@lingui/core/macro';
import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../api/trpc.js';
import { useSession } from '../session/context.js';

/** How many members the list shows; typing finds the others. */
const membersShownMax = 50;
const recipientsMax = 50;

type MemberSelectProps = { value: string[]; onChange: (userIds: string[]) => void; error?: ReactNode };

/** Chooses other members who get an email too; renders nothing for people who cannot choose them. */
export function MemberSelect({ value, onChange, error }: MemberSelectProps) {
  const trpc = useTRPC();
  const { can, user } = useSession();
  const isManager = can('manager');
  const options = useQuery({ ...trpc.alertRules.options.queryOptions(), enabled: isManager });
  if (!isManager) return null;
  const others = options.data?.members.filter(({ user_id: id }) => id !== user.id) ?? [];
  return (
    <MultiSelect
      label={t`Also send to`}
      description={t`Each member can stop it with a link in the email.`}
      placeholder={value.length === 0 ? t`Nobody else` : ''}
      searchable
      limit={membersShownMax}
      maxValues={recipientsMax}
      nothingFoundMessage={t`No member matches`}
      data={others.map(({ user_id: id, name, email }) => ({
        value: String(id),
        label: email === null ? name : `${name} (${email})`,
      }))}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}
