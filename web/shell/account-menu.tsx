import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import {
  IconBook,
  IconHelp,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
  IconSunMoon,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useSession } from '../session/context.js';
import { MenuItemLink } from '../ui/links.js';
import { UserText } from '../ui/user-text.js';
import { OrganizationItems } from './organization-items.js';
import { useSignOut } from './use-sign-out.js';

/** The menu of the person: organization, color scheme, account, and signing out. */
export function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { user, organization, can } = useSession();
  const { signOut, dialog } = useSignOut();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {dialog}
      <Menu position="bottom-end" width={260} withinPortal={false} opened={isOpen} onChange={setOpen}>
        <Menu.Target>
          <ActionIcon size="lg" aria-label={t`Account menu`}>
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
          <OrganizationItems isShown={isOpen} />
          <Menu.Divider />
          <MenuItemLink to="/account" leftSection={<IconUserCircle size={16} aria-hidden />}>{t`Account`}</MenuItemLink>
          {can('manager') && (
            <MenuItemLink to="/settings" leftSection={<IconSettings size={16} aria-hidden />}>
              <Trans>Settings</Trans>
            </MenuItemLink>
          )}
          {can('admin') && (
            <>
              <MenuItemLink to="/settings" hash="members" leftSection={<IconUsers size={16} aria-hidden />}>
                <Trans>Members</Trans>
              </MenuItemLink>
              <MenuItemLink to="/settings" hash="api-keys" leftSection={<IconKey size={16} aria-hidden />}>
                <Trans>API keys</Trans>
              </MenuItemLink>
            </>
          )}
          <Menu.Item component="a" href="/docs" leftSection={<IconHelp size={16} aria-hidden />}>{t`Help`}</Menu.Item>
          <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={onShortcuts} visibleFrom="sm">
            <Trans>Keyboard shortcuts</Trans>
          </Menu.Item>
          <Menu.Item component="a" href="/api/docs" leftSection={<IconBook size={16} aria-hidden />}>
            <Trans>API docs</Trans>
          </Menu.Item>
          <Menu.Divider />
          <ColorSchemeItems />
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
            <Trans>Sign out</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function ColorSchemeItems() {
  const { setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Item leftSection={<IconSun size={16} aria-hidden />} onClick={() => setColorScheme('light')}>
        <Trans>Light</Trans>
      </Menu.Item>
      <Menu.Item leftSection={<IconMoon size={16} aria-hidden />} onClick={() => setColorScheme('dark')}>
        <Trans>Dark</Trans>
      </Menu.Item>
      <Menu.Item leftSection={<IconSunMoon size={16} aria-hidden />} onClick={() => setColorScheme('auto')}>
        <Trans>System</Trans>
      </Menu.Item>
    </>
  );
}
