import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useTRPC } from '../../api/trpc.js';
import { AssetSelect } from '../../ui/asset-select.js';
import type { Choice } from '../../ui/search-select.js';
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
  const trpc = useTRPC();
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm<{ asset: Choice | null; seconds: string }>({ initialValues: { asset: null, seconds: '60' } });
  const { asset, seconds } = form.getValues();
  const start = useMutation(
    trpc.locations.calibrate.mutationOptions({
      onError: (error) => setProblem(applyProblem(form, error, { asset_id: 'asset' })),
    }),
  );

  async function begin(chosen: Choice): Promise<void> {
    setProblem(null);
    const lengthMs = Number(seconds) * 1000;
    const input = { location_id: location.id, asset_id: chosen.id, seconds: Number(seconds) };
    const { started_at: startedAt } = await start.mutateAsync(input);
    onStarted({ asset: chosen, startedAt, lengthMs });
  }

  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ asset: chosen }) => {
        if (chosen) void begin(chosen).catch(() => {});
      })}
    >
      <Stack>
        <Text size="sm">
          <Trans>
            Put an asset with a tag where assets usually are at this location, and leave it there until the time is
            over. It is recorded as scanned here.
          </Trans>
        </Text>
        <AssetSelect
          label={t`Asset`}
          description={t`With an RFID or BLE tag`}
          required
          value={asset}
          error={form.errors['asset']}
          onChange={(chosen) => {
            form.clearFieldError('asset');
            form.setFieldValue('asset', chosen);
          }}
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
        <FormProblem problem={problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" loading={start.isPending} disabled={asset === null}>{t`Start`}</Button>
        </Group>
      </Stack>
    </form>
  );
}
