import { t } from '@lingui/core/macro';
import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { problemOf } from '../api/errors.js';
import { useServer } from '../api/use-server.js';
import { useSession, useSessionControl } from '../session/context.js';
import { UserText } from '../ui/user-text.js';

/** The person's other organizations, to switch to; renders nothing if there are none. */
export function OrganizationItems({ isShown }: { isShown: boolean }) {
  const { trpc, api } = useServer();
  const session = useSessionControl();
  const navigate = useNavigate();
  const { organization } = useSession();
  const me = useQuery(trpc.session.me.queryOptions(undefined, { enabled: isShown }));
  const others = me.data?.organizations.filter(({ id }) => id !== organization.id) ?? [];
  if (others.length === 0) return null;

  async function goOver(organizationId: number): Promise<void> {
    try {
      const answer = await api.session.switchOrganization.mutate(
        { organization_id: organizationId },
        { context: { alone: true } },
      );
      // The open page belongs to the previous organization.
      await navigate({ to: '/' });
      session.enter(answer);
    } catch (error) {
      const { title, detail } = problemOf(error);
      notifications.show({ color: 'red', title, message: detail });
    }
  }

  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t`Switch to`}</Menu.Label>
      {others.map(({ id, name }) => (
        <Menu.Item key={id} leftSection={<IconBuilding size={16} aria-hidden />} onClick={() => void goOver(id)}>
          <UserText lines={1}>{name}</UserText>
        </Menu.Item>
      ))}
    </>
  );
}
