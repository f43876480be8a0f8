import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { IconLogout, IconMoon, IconSun, IconSunMoon, IconUserCircle } from '@tabler/icons-react';
import { useSession, useSessionControl } from '../session/context.js';
import { UserText } from '../ui/user-text.js';

/** The person: who they are here, how the app looks to them, and the way out. */
export function AccountMenu() {
  const { user, organization } = useSession();
  const session = useSessionControl();
  const { setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon size="lg" aria-label="Account menu">
          <IconUserCircle size={22} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} component="div">
            <UserText lines={1}>{user.name}</UserText>
          </Text>
          <UserText lines={1}>{organization.name}</UserText>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<IconSun size={16} aria-hidden />} onClick={() => setColorScheme('light')}>
          Light
        </Menu.Item>
        <Menu.Item leftSection={<IconMoon size={16} aria-hidden />} onClick={() => setColorScheme('dark')}>
          Dark
        </Menu.Item>
        <Menu.Item leftSection={<IconSunMoon size={16} aria-hidden />} onClick={() => setColorScheme('auto')}>
          As this device
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void session.signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
