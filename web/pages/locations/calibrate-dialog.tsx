import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Modal, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { useTRPCClient } from '../../api/trpc.js';
import { AssetSelect } from '../../ui/asset-select.js';
import type { Choice } from '../../ui/search-select.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { CalibrationRun, type RunningCalibration } from './calibration-run.js';

const durations = [
  { value: '30', label: '30 s' },
  { value: '60', label: t`1 min` },
  { value: '120', label: t`2 min` },
  { value: '300', label: t`5 min` },
];

type CalibrateDialogProps = { location: { id: number; name: string }; onClose: () => void };

/** Calibrates a location with an asset that is there, and shows the reads of antennas meanwhile. */
export function CalibrateDialog({ location, onClose }: CalibrateDialogProps) {
  const [running, setRunning] = useState<RunningCalibration | null>(null);
  return (
    <Modal opened onClose={onClose} title={t`Calibrate ${location.name}`}>
      {running ? (
        <CalibrationRun
          key={running.startedAt}
          running={running}
          location={location}
          onAgain={() => setRunning(null)}
          onClose={onClose}
        />
      ) : (
        <StartForm location={location} onStarted={setRunning} onClose={onClose} />
      )}
    </Modal>
  );
}

type StartFormProps = CalibrateDialogProps & { onStarted: (running: RunningCalibration) => void };

function StartForm({ location, onStarted, onClose }: StartFormProps) {
  const api = useTRPCClient();
  const form = useServerForm<{ asset: Choice | null; seconds: string }>({
    initialValues: { asset: null, seconds: '60' },
    send: begin,
    fieldNames: { asset_id: 'asset' },
  });

  async function begin({ asset, seconds }: { asset: Choice | null; seconds: string }): Promise<void> {
    if (!asset) return;
    const input = { location_id: location.id, asset_id: asset.id, seconds: Number(seconds) };
    const { started_at: startedAt } = await api.locations.calibrate.mutate(input);
    onStarted({ asset, startedAt, lengthMs: Number(seconds) * 1000 });
  }

  return (
    <ServerForm form={form} submit={t`Start`} isDisabled={form.values.asset === null} onCancel={onClose}>
      <Text size="sm">
        <Trans>
          Put an asset with a tag where assets usually are at this location, and leave it there until the time is over.
          It is recorded as scanned here.
        </Trans>
      </Text>
      <AssetSelect
        label={t`Asset`}
        description={t`With an RFID or BLE tag`}
        required
        {...form.getInputProps('asset')}
        value={form.values.asset}
      />
      <div>
        <Text size="sm" fw={500} id="calibration-duration">{t`Duration`}</Text>
        <SegmentedControl
          fullWidth
          aria-labelledby="calibration-duration"
          data={durations}
          {...form.getInputProps('seconds')}
        />
      </div>
    </ServerForm>
  );
}
