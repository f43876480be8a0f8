import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';

type Placed = { is_active: boolean; location: { is_free: boolean } | null };

/** Says that an asset is active and at a location whose assets are free to use; renders nothing otherwise. */
export function FreeBadge({ asset }: { asset: Placed }) {
  return asset.is_active && asset.location?.is_free ? (
    <Badge color="green" style={{ flex: 'none' }}>{t`Free`}</Badge>
  ) : null;
}
