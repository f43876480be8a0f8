import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group } from '@mantine/core';
import { ButtonLink } from '../../ui/links.js';
import type { ReportKind } from './search.js';

const labels: Record<ReportKind, string> = {
  dwell: t`Dwell time`,
  flow: t`Flow`,
  use: t`Asset use`,
  inventory: t`Inventory`,
  unseen: t`Not seen`,
  missing: t`Missing`,
};

/** Links between the reports. They keep the period and the location. */
export function ReportTabs({ current }: { current: ReportKind | 'audits' }) {
  const look = (isCurrent: boolean) =>
    ({
      size: 'xs',
      variant: isCurrent ? 'filled' : 'default',
      'aria-current': isCurrent ? 'page' : undefined,
    }) as const;
  return (
    <Group component="nav" gap="xs" aria-label={t`Reports`}>
      {Object.entries(labels).map(([kind, label]) => (
        <ButtonLink
          key={kind}
          to="/reports"
          search={({ from, to, location_id, asset_id }: Kept) => ({
            ...(kind === 'dwell' ? {} : { report: kind as Exclude<ReportKind, 'dwell'> }),
            ...(from !== undefined && { from }),
            ...(to !== undefined && { to }),
            ...(location_id !== undefined && { location_id }),
            ...(asset_id !== undefined && { asset_id }),
          })}
          {...look(kind === current)}
        >
          {label}
        </ButtonLink>
      ))}
      <ButtonLink
        to="/audits"
        search={({ from, to, location_id }: Kept) => ({
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
          ...(location_id !== undefined && { location_id }),
        })}
        {...look(current === 'audits')}
      >
        <Trans>Audits</Trans>
      </ButtonLink>
    </Group>
  );
}

type Kept = {
  from?: string | undefined;
  to?: string | undefined;
  location_id?: number | undefined;
  asset_id?: number | undefined;
};
