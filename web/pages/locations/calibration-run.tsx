import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Outputs } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { levelText } from '../../ui/level.js';
import { quantity } from '../../ui/quantity.js';
import type { Choice } from '../../ui/search-select.js';
import { durationText } from '../../ui/times.js';
import { UserText } from '../../ui/user-text.js';

export type RunningCalibration = {
  asset: Choice;
  /** The start, by the clock of the service. */
  startedAt: string;
  lengthMs: number;
};

type EvidenceItem = Outputs['assets']['evidence']['evidence'][number];

const tickMs = 500;
const refetchMs = 1000;

const columns: Column<EvidenceItem>[] = [
  {
    id: 'antenna',
    header: t`Antenna`,
    cell: (row) => (
      <>
        <UserText>{row.reader_name}</UserText>
        <Text size="xs" c="dimmed" component="div">
          <Trans>
            Antenna {row.antenna}, <UserText>{row.location_name ?? t`no location`}</UserText>
          </Trans>
        </Text>
      </>
    ),
  },
  {
    id: 'level',
    header: t`RSSI`,
    align: 'end',
    cell: (row) => (row.rssi_dbm === null ? '–' : levelText(row.rssi_dbm)),
  },
];

type CalibrationRunProps = {
  running: RunningCalibration;
  location: { id: number; name: string };
  onAgain: () => void;
  onClose: () => void;
};

/** Counts down while a calibration runs, shows the reads of each antenna, and then the result. */
export function CalibrationRun({ running, location, onAgain, onClose }: CalibrationRunProps) {
  const { trpc, answers: queries } = useServer();
  const leftMs = useLeftMs(running.lengthMs);
  const isOver = leftMs <= 0;
  const evidence = useQuery(
    trpc.assets.evidence.queryOptions(
      { asset_id: running.asset.id },
      { refetchInterval: isOver ? false : refetchMs, gcTime: 0 },
    ),
  );
  useEffect(() => {
    if (isOver) void queries.invalidateQueries(trpc.locations.signatures.queryFilter({ location_id: location.id }));
  }, [isOver, queries, trpc, location.id]);
  const read = evidence.data?.evidence.filter(({ last_read_at: at }) => at > running.startedAt);
  const elsewhere =
    evidence.data && evidence.data.location_id !== location.id ? (evidence.data.location_name ?? t`no location`) : null;
  return (
    <Stack>
      {elsewhere !== null && !isOver && (
        <Alert color="orange" icon={<IconAlertTriangle />} title={t`The calibration has ended early`}>
          <Trans>
            The asset was placed at <UserText>{elsewhere}</UserText>. Readers with the location rule “Newest read” and
            handheld scans end it.
          </Trans>
        </Alert>
      )}
      {isOver ? (
        <Result antennas={read?.length ?? 0} />
      ) : (
        <div>
          <Text size="sm" role="timer" mb={4}>
            <Trans>
              {durationText(leftMs)} left. Leave <UserText>{running.asset.label}</UserText> where it is.
            </Trans>
          </Text>
          <Progress value={100 - (leftMs / running.lengthMs) * 100} aria-label={t`Calibration progress`} />
        </div>
      )}
      <DataTable
        caption={t`Antennas that read the asset`}
        columns={columns}
        rows={read}
        rowId={({ reader_id, antenna, tag_value }) => `${reader_id} ${antenna} ${tag_value ?? ''}`}
        expectedRows={2}
        empty={<Text c="dimmed">{isOver ? t`No reads` : t`Waiting for reads`}</Text>}
      />
      <Group justify="flex-end">
        {isOver ? (
          <>
            <Button variant="default" onClick={onAgain}>{t`Calibrate again`}</Button>
            <Button onClick={onClose}>{t`Done`}</Button>
          </>
        ) : (
          <Button variant="default" onClick={onClose}>{t`Run in background`}</Button>
        )}
      </Group>
    </Stack>
  );
}

function Result({ antennas }: { antennas: number }) {
  if (antennas === 0) {
    return (
      <Alert color="orange" icon={<IconAlertTriangle />} title={t`No antenna has read the asset`}>
        <Trans>
          Check that its tag is attached in this app, that the readers are connected, and that the tag faces an antenna.
        </Trans>
      </Alert>
    );
  }
  return (
    <Alert color="green" icon={<IconCheck />} title={t`Calibrated`}>
      <Trans>
        {quantity(antennas, 'antenna')} read the asset. Two or three calibrations at different spots give the best
        result.
      </Trans>
    </Alert>
  );
}

/** Returns the remaining milliseconds of a duration that begins with the first rendering. */
function useLeftMs(lengthMs: number): number {
  const [untilMs] = useState(() => Date.now() + lengthMs);
  const [nowMs, setNowMs] = useState(() => Date.now());
  const isOver = nowMs >= untilMs;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isOver]);
  return Math.max(0, untilMs - nowMs);
}
