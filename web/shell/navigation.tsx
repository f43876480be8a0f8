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

type Entry = { label: string; to: PagePath; icon: Icon; needs: Role; others?: string[] };

/** The pages in the order in which a day's work meets them. */
const entries: readonly Entry[] = [
  { label: t`Home`, to: '/', icon: IconHome, needs: 'viewer' },
  { label: t`Assets`, to: '/assets', icon: IconBox, needs: 'viewer' },
  { label: t`Locations`, to: '/locations', icon: IconMapPin, needs: 'viewer' },
  { label: t`Reports`, to: '/reports', icon: IconReportAnalytics, needs: 'viewer', others: ['/audits'] },
  { label: t`Alerts`, to: '/alerts', icon: IconBell, needs: 'viewer' },
  { label: t`Scan`, to: '/scan', icon: IconBarcode, needs: 'operator' },
  { label: t`Readers`, to: '/readers', icon: IconAntenna, needs: 'viewer' },
  { label: t`Unknown tags`, to: '/unknown-tags', icon: IconQuestionMark, needs: 'manager' },
  { label: t`Labels`, to: '/labels', icon: IconTag, needs: 'viewer' },
  { label: t`Activity`, to: '/activity', icon: IconHistory, needs: 'manager' },
  { label: t`Deleted`, to: '/deleted', icon: IconTrash, needs: 'manager' },
];

/** Links to every page that the person's role can use. */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { can } = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <Stack component="nav" gap={2} aria-label={t`Pages`}>
      {entries
        .filter(({ needs }) => can(needs))
        .map(({ label, to, others, icon: Picture }) => {
          const isHere =
            to === '/'
              ? path === '/'
              : [to, ...(others ?? [])].some((own) => path === own || path.startsWith(`${own}/`));
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
