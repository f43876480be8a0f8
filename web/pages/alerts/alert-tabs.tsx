import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { useSession } from '../../session/context.js';
import { ButtonLink } from '../../ui/links.js';

const tabs = [
  { to: '/alerts', label: t`Alerts`, needs: 'viewer' },
  { to: '/alerts/rules', label: t`Rules`, needs: 'manager' },
  { to: '/alerts/webhooks', label: t`Webhooks`, needs: 'admin' },
] as const;

/** Links to the pages about alerts that the person's role can use. */
export function AlertTabs({ here }: { here: (typeof tabs)[number]['to'] }) {
  const { can } = useSession();
  const shown = tabs.filter(({ needs }) => can(needs));
  if (shown.length === 1) return null;
  return (
    <Group gap={4} component="nav" aria-label={t`Alerts, rules and webhooks`}>
      {shown.map(({ to, label }) => (
        <ButtonLink
          key={to}
          to={to}
          size="sm"
          px="sm"
          variant={to === here ? 'light' : 'subtle'}
          aria-current={to === here ? 'page' : undefined}
        >
          {label}
        </ButtonLink>
      ))}
    </Group>
  );
}
