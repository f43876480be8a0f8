import { t } from '@lingui/core/macro';
import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useSession } from '../session/context.js';
import { ownerOf } from '../session/owner.js';
import { SeenAssetCard } from './seen-asset-card.js';
import { useSeenAssets } from './use-seen-assets.js';

/** Where this device remembers an asset to be, on its page, which could not be loaded; nothing if it does not. */
export function LastKnownPlace({ assetId }: { assetId: number }) {
  const asset = useSeenAssets(ownerOf(useSession()))?.find(({ id }) => id === assetId);
  if (!asset) return null;
  return (
    <Alert color="orange" icon={<IconPlugConnectedX />} title={t`Last known place`}>
      <SeenAssetCard asset={asset} />
    </Alert>
  );
}
