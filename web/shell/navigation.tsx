import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Stack, VisuallyHidden } from '@mantine/core';
import {
  type Icon,
  IconBarcode,
  IconBell,
  IconBox,
  IconHistory,
  IconHome,
  IconMapPin,
  IconQuestionMark,
  IconReportAnalytics,
  IconTag,
  IconTrash,
  IconAntenna,
} from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { useOpenCount } from '../alerts/open-count.js';
import classes from './app-frame.module.css';
import { type Role, useSession } from '../session/context.js';
import { NavigationLink } from '../ui/links.js';

type PagePath =
  | '/'
  | '/assets'
  | '/locations'
  | '/reports'
  | '/alerts'
  | '/scan'
  | '/readers'
  | '/unknown-tags'
  | '/labels'
  | '/activity'
  | '/deleted';

type Entry = {
  label: string;
  /** The key that opens the page after `g`. */
  shortcut: string;
  to: PagePath;
  icon: Icon;
  needs: Role;
  others?: string[];
};

/** The pages in the order of daily work. */
const entries: readonly Entry[] = [
  { label: t`Home`, shortcut: 'h', to: '/', icon: IconHome, needs: 'viewer' },
  { label: t`Assets`, shortcut: 'a', to: '/assets', icon: IconBox, needs: 'viewer' },
  { label: t`Locations`, shortcut: 'l', to: '/locations', icon: IconMapPin, needs: 'viewer' },
  { label: t`Reports`, shortcut: 'r', to: '/reports', icon: IconReportAnalytics, needs: 'viewer', others: ['/audits'] },
  { label: t`Alerts`, shortcut: 't', to: '/alerts', icon: IconBell, needs: 'viewer' },
  { label: t`Scan`, shortcut: 's', to: '/scan', icon: IconBarcode, needs: 'operator' },
  { label: t`Readers`, shortcut: 'd', to: '/readers', icon: IconAntenna, needs: 'viewer' },
  { label: t`Unknown tags`, shortcut: 'u', to: '/unknown-tags', icon: IconQuestionMark, needs: 'manager' },
  { label: t`Labels`, shortcut: 'p', to: '/labels', icon: IconTag, needs: 'viewer' },
  { label: t`Activity`, shortcut: 'c', to: '/activity', icon: IconHistory, needs: 'manager' },
  { label: t`Deleted`, shortcut: 'x', to: '/deleted', icon: IconTrash, needs: 'manager' },
];

/** Returns the pages that the person's role can use. */
export function entriesFor(can: (needed: Role) => boolean): readonly Entry[] {
  return entries.filter(({ needs }) => can(needs));
}

/** Links to every page that the person's role can use. */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { can } = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <Stack component="nav" gap={2} aria-label={t`Pages`}>
      {entriesFor(can).map(({ label, to, others, icon: Picture }) => {
        const isHere =
          to === '/' ? path === '/' : [to, ...(others ?? [])].some((own) => path === own || path.startsWith(`${own}/`));
        return (
          <NavigationLink
            key={to}
            to={to}
            label={label}
            active={isHere}
            className={classes['page'] ?? ''}
            aria-current={isHere ? 'page' : undefined}
            leftSection={<Picture size={18} stroke={1.7} aria-hidden />}
            rightSection={to === '/alerts' && <OpenAlerts />}
            onClick={onNavigate}
          />
        );
      })}
    </Stack>
  );
}

function OpenAlerts() {
  const open = useOpenCount();
  if (!open || open.count === 0) return null;
  return (
    <Badge variant="filled" color="red" size="sm">
      {open.text}
      <VisuallyHidden>
        {' '}
        <Trans>open</Trans>
      </VisuallyHidden>
    </Badge>
  );
}
