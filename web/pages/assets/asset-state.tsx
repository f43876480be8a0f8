import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import { exactTime, useNow } from '../../ui/times.js';

type Stateful = { is_active: boolean; valid_from: string; valid_to: string | null };

type State = { name: string; color: string; why?: string };

/** Whether an asset is in use. Those that are not stay in the app's lists; `quiet` shows nothing for one that is. */
export function AssetState({ asset, quiet = false }: { asset: Stateful; quiet?: boolean }) {
  const { name, color, why } = stateOf(asset, useNow());
  if (quiet && name === 'Active') return null;
  return (
    <Badge color={color} title={why}>
      {name}
    </Badge>
  );
}

function stateOf({ is_active: isActive, valid_from: from, valid_to: to }: Stateful, nowMs: number): State {
  if (to !== null && Date.parse(to) <= nowMs) {
    return { name: t`Expired`, color: 'orange', why: t`Was valid until ${exactTime(Date.parse(to))}` };
  }
  if (Date.parse(from) > nowMs) {
    return { name: t`Not valid yet`, color: 'blue', why: t`Valid from ${exactTime(Date.parse(from))}` };
  }
  return isActive ? { name: t`Active`, color: 'green' } : { name: t`Inactive`, color: 'gray' };
}
