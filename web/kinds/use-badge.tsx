import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';

/** The properties that decide whether an asset can be used. */
export type Usable = { is_active: boolean; has_problem: boolean; location: { is_free: boolean } | null };

/**
 * Shows that an asset has an open problem, or that it is free to use: active, and at a location whose assets are free
 * to use. Otherwise renders nothing.
 */
export function UseBadge({ asset, size }: { asset: Usable; size?: 'sm' }) {
  const props = { ...(size && { size }), style: { flex: 'none' } };
  if (asset.has_problem) return <Badge color="red" {...props}>{t`Problem`}</Badge>;
  return asset.is_active && asset.location?.is_free ? <Badge color="green" {...props}>{t`Free`}</Badge> : null;
}
