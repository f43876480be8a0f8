import { t } from '@lingui/core/macro';
import { AppShell, Burger, Group, Indicator, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';
import { useOpenCount } from '../alerts/open-count.js';
import { LiveIndicator } from '../live/live-indicator.js';
import { LiveProvider } from '../live/provider.js';
import { keepApp } from '../scanning/keep-page.js';
import { SearchBox } from '../search/search-box.js';
import { useSession } from '../session/context.js';
import { AnchorLink } from '../ui/links.js';
import { UserText } from '../ui/user-text.js';
import { useDroppedFilters } from '../ui/use-dropped-filters.js';
import { AccountMenu } from './account-menu.js';
import classes from './app-frame.module.css';
import { BottomBar } from './bottom-bar.js';
import { Logo } from './logo.js';
import { Navigation } from './navigation.js';
import { useSingleKeys } from './single-keys.js';
import { useDeviceNote } from './use-device-note.js';
import { useIsSettled } from './use-is-settled.js';
import { useStoredPreferences } from './stored-preferences.js';
import { lazyPart } from '../ui/lazy-part.js';

const InsecureNotice = lazyPart(() => import('./insecure-notice.js'), 'InsecureNotice');
const NewVersion = lazyPart(() => import('./new-version.js'), 'NewVersion');
const OutboundPaused = lazyPart(() => import('./outbound-paused.js'), 'OutboundPaused');
const ScanOpener = lazyPart(() => import('../scanning/scan-opener.js'), 'ScanOpener');
const Shortcuts = lazyPart(() => import('./shortcuts.js'), 'Shortcuts');
const ShortcutsHelp = lazyPart(() => import('./shortcuts-help.js'), 'ShortcutsHelp');
const SeenAssetsRecorder = lazyPart(() => import('../offline/recorder.js'), 'SeenAssetsRecorder');
const ScanSender = lazyPart(() => import('../scanning/scan-sender.js'), 'ScanSender');

/** The frame around every page of a signed-in person. */
export function AppFrame({ children }: { children: ReactNode }) {
  const { organization, can } = useSession();
  useStoredPreferences();
  useEffect(keepApp, []);
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [isSearching, { open: search, close: endSearch }] = useDisclosure(false);
  const [isHelpOpen, { open: openHelp, close: closeHelp }] = useDisclosure(false);
  const [hasSingleKeys] = useSingleKeys();
  const isAddressKnown = useDroppedFilters();
  const isSettled = useIsSettled();
  useDeviceNote(isSettled);
  return (
    <LiveProvider>
      <ExtraPart>{isSettled && <ScanOpener />}</ExtraPart>
      <ExtraPart>{isSettled && <SeenAssetsRecorder />}</ExtraPart>
      <ExtraPart>{isSettled && hasSingleKeys && <Shortcuts onHelp={openHelp} />}</ExtraPart>
      <ExtraPart>{isHelpOpen && <ShortcutsHelp onClose={closeHelp} />}</ExtraPart>
      <AppShell
        header={{ height: 56 }}
        footer={{ height: { base: 56, sm: 0 } }}
        navbar={{ width: 220, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
        padding={{ base: 'sm', sm: 'lg' }}
        classNames={{ main: classes['main'] ?? '', header: classes['bar'] ?? '', navbar: classes['bar'] ?? '' }}
      >
        <a className={classes['skip']} href="#content">{t`Skip to the content`}</a>
        <AppShell.Header>
          <Group h="100%" px="md" gap="sm" wrap="nowrap" justify="space-between">
            <Group gap="sm" wrap="nowrap">
              <MenuButton isOpen={isOpen} onToggle={toggle} />
              <AnchorLink to="/" underline="never" c="inherit" aria-label={t`Whereabouts, home`}>
                <Group gap={8} wrap="nowrap">
                  <Logo size={26} />
                  <Text fw={680} visibleFrom="xs" component="span">{t`Whereabouts`}</Text>
                </Group>
              </AnchorLink>
            </Group>
            <Group gap="xs" wrap="nowrap">
              <ExtraPart>{isSettled && can('operator') && <ScanSender />}</ExtraPart>
              <ExtraPart>
                <SearchBox isOpen={isSearching} onOpen={search} onClose={endSearch} />
              </ExtraPart>
              <LiveIndicator />
              <AccountMenu onShortcuts={openHelp} />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm" component="aside" aria-label={t`Organization and pages`}>
          <Text size="sm" fw={600} c="dimmed" component="div" px="sm" pb={6}>
            <UserText lines={1}>{organization.name}</UserText>
          </Text>
          <Navigation onNavigate={close} />
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1}>
          <ExtraPart>{isSettled && <NewVersion />}</ExtraPart>
          <ExtraPart>{!isSecureContext && <InsecureNotice />}</ExtraPart>
          <ExtraPart>{isSettled && <OutboundPaused />}</ExtraPart>
          {isAddressKnown && children}
        </AppShell.Main>
        <BottomBar onSearch={search} />
      </AppShell>
    </LiveProvider>
  );
}

/** A part that pages can do without. If it fails or can't be loaded, it is not shown, and the page stays. */
function ExtraPart({ children }: { children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={() => 0} errorComponent={() => null}>
      <Suspense fallback={null}>{children}</Suspense>
    </CatchBoundary>
  );
}

/** Opens the navigation on small screens, and marks that there are open alerts. */
function MenuButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const alerts = useOpenCount();
  const hasAlerts = alerts !== undefined && alerts.count > 0;
  const name = isOpen ? t`Close the menu` : t`Open the menu`;
  return (
    <Indicator color="red" size={10} disabled={!hasAlerts || isOpen} hiddenFrom="md">
      <Burger opened={isOpen} onClick={onToggle} size="sm" aria-label={hasAlerts ? t`${name}, open alerts` : name} />
    </Indicator>
  );
}
