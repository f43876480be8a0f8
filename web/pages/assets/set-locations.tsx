import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { monotonicFactory } from 'ulid';
import { useServer } from '../../api/use-server.js';
import { batchReadsMax, type ScanLocation } from '../../scanning/batch.js';
import { quantity } from '../../ui/quantity.js';
import { ChooseLocationButton } from './choose-location-button.js';

const makeId = monotonicFactory();

/** Records that the selected assets are at one location according to a person. */
export function SetLocations({ ids, isBusy }: { ids: readonly number[]; isBusy: boolean }) {
  const { trpc, api, refresh } = useServer();
  const count = quantity(ids.length, 'asset');

  async function set(location: ScanLocation): Promise<void> {
    try {
      for (let at = 0; at < ids.length; at += batchReadsMax) {
        const reads = ids.slice(at, at + batchReadsMax).map((id) => ({ asset_id: id }));
        const input = { submission_id: makeId(), location_id: location.id, reads, is_by_hand: true };
        await api.scans.submit.mutate(input);
      }
      notifications.show({ message: t`${count} placed at ${location.name}` });
    } finally {
      await refresh(trpc.assets, trpc.scans);
    }
  }

  return (
    <ChooseLocationButton
      question={t`Where are they now?`}
      note={t`${count} will be recorded at this location.`}
      isBusy={isBusy}
      onChoose={set}
    />
  );
}
