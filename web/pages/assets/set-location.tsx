import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconMapPin } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { monotonicFactory } from 'ulid';
import { type Problem, problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import type { ScanLocation } from '../../scanning/batch.js';
import { FormModal } from '../../ui/form-modal.js';
import { undoPlacing } from '../../scanning/undo-placing.js';
import { showUndoNotice } from '../../ui/undo-notice.js';
import { ScanLocationSearch } from '../scan/scan-location-search.js';
import type { AssetDetail } from './asset-values.js';

const makeId = monotonicFactory();

/** Records where an asset is according to a person, without a scan, and offers an undo. */
export function SetLocation({ asset: { id, name, position } }: { asset: AssetDetail }) {
  const api = useTRPCClient();
  const trpc = useTRPC();
  const answers = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const before = position?.location ?? null;

  async function refresh(): Promise<void> {
    await Promise.all([
      answers.invalidateQueries(trpc.assets.pathFilter()),
      answers.invalidateQueries(trpc.scans.pathFilter()),
    ]);
  }

  async function set(location: ScanLocation): Promise<void> {
    setProblem(null);
    try {
      const reads = [{ asset_id: id }];
      const input = { submission_id: makeId(), location_id: location.id, reads, is_by_hand: true };
      await api.scans.submit.mutate(input);
      await refresh();
    } catch (error) {
      setProblem(problemOf(error));
      return;
    }
    setOpen(false);
    const text = t`${name} is at ${location.name}`;
    if (before === null || before.id === location.id) notifications.show({ message: text });
    else {
      showUndoNotice(text, async () => {
        await undoPlacing(api, { assetId: id, from: before, at: location });
        await refresh();
        return t`${name} is at ${before.name} again`;
      });
    }
  }

  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconMapPin size={16} aria-hidden />}
        onClick={() => {
          setProblem(null);
          setOpen(true);
        }}
      >
        <Trans>Set location</Trans>
      </Button>
      {isOpen && (
        <FormModal isDirty={false} onClose={() => setOpen(false)} title={t`Where is it now?`}>
          <Stack>
            <ScanLocationSearch onChoose={(location) => void set(location)} />
            <FormProblem problem={problem} />
          </Stack>
        </FormModal>
      )}
    </>
  );
}
