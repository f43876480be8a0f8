import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { monotonicFactory } from 'ulid';
import { useServer } from '../../api/use-server.js';
import type { ScanLocation } from '../../scanning/batch.js';
import { undoPlacing } from '../../scanning/undo-placing.js';
import { showUndoNotice } from '../../ui/undo-notice.js';
import type { AssetDetail } from './asset-values.js';
import { ChooseLocationButton } from './choose-location-button.js';

const makeId = monotonicFactory();

/** Records where an asset is according to a person, without a scan, and offers an undo. */
export function SetLocation({ asset: { id, name, position } }: { asset: AssetDetail }) {
  const { trpc, api, refresh } = useServer();
  const before = position?.location ?? null;

  async function set(location: ScanLocation): Promise<void> {
    const reads = [{ asset_id: id }];
    const input = { submission_id: makeId(), location_id: location.id, reads, is_by_hand: true };
    await api.scans.submit.mutate(input);
    await refresh(trpc.assets, trpc.scans);
    const text = t`${name} is at ${location.name}`;
    if (before === null || before.id === location.id) notifications.show({ message: text });
    else {
      showUndoNotice(text, async () => {
        await undoPlacing(api, { assetId: id, from: before, at: location });
        await refresh(trpc.assets, trpc.scans);
        return t`${name} is at ${before.name} again`;
      });
    }
  }

  return <ChooseLocationButton question={t`Where is it now?`} onChoose={set} />;
}
