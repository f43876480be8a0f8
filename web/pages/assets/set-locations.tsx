import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconMapPin } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { monotonicFactory } from 'ulid';
import { type Problem, problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { batchReadsMax, type ScanLocation } from '../../scanning/batch.js';
import { FormModal } from '../../ui/form-modal.js';
import { quantity } from '../../ui/quantity.js';
import { ScanLocationSearch } from '../scan/scan-location-search.js';

const makeId = monotonicFactory();

/** Records that the selected assets are at one location according to a person. */
export function SetLocations({ ids, isBusy }: { ids: readonly number[]; isBusy: boolean }) {
  const api = useTRPCClient();
  const trpc = useTRPC();
  const answers = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const count = quantity(ids.length, 'asset');

  async function set(location: ScanLocation): Promise<void> {
    setProblem(null);
    try {
      for (let at = 0; at < ids.length; at += batchReadsMax) {
        const reads = ids.slice(at, at + batchReadsMax).map((id) => ({ asset_id: id }));
        const input = { submission_id: makeId(), location_id: location.id, reads, is_by_hand: true };
        await api.scans.submit.mutate(input);
      }
      setOpen(false);
      notifications.show({ message: t`${count} placed at ${location.name}` });
    } catch (error) {
      setProblem(problemOf(error));
    }
    await Promise.all([
      answers.invalidateQueries(trpc.assets.pathFilter()),
      answers.invalidateQueries(trpc.scans.pathFilter()),
    ]);
  }

  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={isBusy}
        leftSection={<IconMapPin size={16} aria-hidden />}
        onClick={() => {
          setProblem(null);
          setOpen(true);
        }}
      >
        <Trans>Set location</Trans>
      </Button>
      {isOpen && (
        <FormModal isDirty={false} onClose={() => setOpen(false)} title={t`Where are they now?`}>
          <Stack>
            <Text size="sm">{t`${count} will be recorded at this location.`}</Text>
            <ScanLocationSearch onChoose={(location) => void set(location)} />
            <FormProblem problem={problem} />
          </Stack>
        </FormModal>
      )}
    </>
  );
}
