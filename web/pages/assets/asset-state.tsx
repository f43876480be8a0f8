import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import { exactTime, useFromNow } from '../../ui/times.js';

type Stateful = { is_active: boolean; valid_from: string; valid_to: string | null };

type State = 'active' | 'inactive' | 'expired' | 'early';

const names = { active: t`Active`, inactive: t`Inactive`, expired: t`Expired`, early: t`Not valid yet` } as const;
const colors = { active: 'green', inactive: 'gray', expired: 'orange', early: 'blue' } as const;

/**
 * Shows whether an asset is in use. Assets that are not in use stay in the app's lists. With `quiet`, renders nothing
 * for an asset in use.
 */
export function AssetState({ asset, quiet = false }: { asset: Stateful; quiet?: boolean }) {
  const state = useFromNow((nowMs) => stateOf(asset, nowMs));
  if (quiet && state === 'active') return null;
  return (
    <Badge color={colors[state]} title={reason(state, asset)}>
      {names[state]}
    </Badge>
  );
}

function stateOf({ is_active: isActive, valid_from: from, valid_to: to }: Stateful, nowMs: number): State {
  if (to !== null && Date.parse(to) <= nowMs) return 'expired';
  if (Date.parse(from) > nowMs) return 'early';
  return isActive ? 'active' : 'inactive';
}

function reason(state: State, { valid_from: from, valid_to: to }: Stateful): string | undefined {
  if (state === 'expired' && to !== null) return t`Was valid until ${exactTime(Date.parse(to))}`;
  return state === 'early' ? t`Valid from ${exactTime(Date.parse(from))}` : undefined;
}
