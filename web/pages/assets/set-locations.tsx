import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { monotonicFactory } from 'ulid';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { batchReadsMax, type ScanLocation } from '../../scanning/batch.js';
import { quantity } from '../../ui/quantity.js';
import { ChooseLocationButton } from './choose-location-button.js';

const makeId = monotonicFactory();

/** Records that the selected assets are at one location according to a person. */
export function SetLocations({ ids, isBusy }: { ids: readonly number[]; isBusy: boolean }) {
  const api = useTRPCClient();
  const trpc = useTRPC();
  const answers = useQueryClient();
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
      await Promise.all([
        answers.invalidateQueries(trpc.assets.pathFilter()),
        answers.invalidateQueries(trpc.scans.pathFilter()),
      ]);
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
