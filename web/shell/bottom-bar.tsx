import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { AppShell, Indicator, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconBarcode, IconBell, IconSearch } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { useOpenCount } from '../alerts/open-count.js';
import { useSession } from '../session/context.js';
import { AnchorLink } from '../ui/links.js';
import classes from './bottom-bar.module.css';

/** The bar on phones, with the actions that people need while walking around, within reach of the thumb. */
export function BottomBar({ onSearch }: { onSearch: () => void }) {
  const { can } = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const alerts = useOpenCount();
  const hasAlerts = alerts !== undefined && alerts.count > 0;
  const current = (to: string) => (path === to || path.startsWith(`${to}/`) ? 'page' : undefined);
  return (
    <AppShell.Footer component="nav" className={classes['bar'] ?? ''} aria-label={t`Search, scan and alerts`}>
      <UnstyledButton className={classes['entry']} onClick={onSearch} aria-haspopup="dialog">
        <IconSearch size={22} stroke={1.7} aria-hidden />
        <Trans>Search</Trans>
      </UnstyledButton>
      {can('operator') && (
        <AnchorLink to="/scan" className={classes['entry']} underline="never" aria-current={current('/scan')}>
          <IconBarcode size={22} stroke={1.7} aria-hidden />
          <Trans>Scan</Trans>
        </AnchorLink>
      )}
      <AnchorLink to="/alerts" className={classes['entry']} underline="never" aria-current={current('/alerts')}>
        <Indicator color="red" size={10} disabled={!hasAlerts}>
          <IconBell size={22} stroke={1.7} aria-hidden />
        </Indicator>
        <Trans>Alerts</Trans>
        {hasAlerts && (
          <VisuallyHidden>
            , {alerts.text} <Trans>open</Trans>
          </VisuallyHidden>
        )}
      </AnchorLink>
    </AppShell.Footer>
  );
}
