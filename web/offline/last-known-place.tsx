import { t } from '@lingui/core/macro';
import { Alert, Stack } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { ReportProblem } from '../problems/report-problem.js';
import { useSession } from '../session/context.js';
import { ownerOf } from '../session/owner.js';
import { SeenAssetCard } from './seen-asset-card.js';
import { useSeenAssets } from './use-seen-assets.js';

/**
 * Shows the last location of an asset that this device remembers, on the asset's page when it could not be loaded;
 * renders nothing without one.
 */
export function LastKnownPlace({ assetId }: { assetId: number }) {
  const session = useSession();
  const asset = useSeenAssets(ownerOf(session))?.find(({ id }) => id === assetId);
  if (!asset) return null;
  return (
    <Alert color="orange" icon={<IconPlugConnectedX />} title={t`Last known place`}>
      <Stack gap="sm" align="flex-start">
        <SeenAssetCard asset={asset} />
        {session.can('operator') && <ReportProblem asset={asset} size="sm" />}
      </Stack>
    </Alert>
  );
}
