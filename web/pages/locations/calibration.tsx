import { useServer } from '../../api/use-server.js';
import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { IconTargetArrow } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { problemOf } from '../../api/errors.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { decibelText } from '../../ui/level.js';
import { Unanswered } from '../../ui/problem-state.js';
import { UserText } from '../../ui/user-text.js';
import { Section } from '../../ui/section.js';
import { CalibrateDialog } from './calibrate-dialog.js';

type LearnedAntenna = Outputs['locations']['signatures'][number];

/** Interval of reloads: the service stores what it learns from readers every few seconds. */
const refetchMs = 5000;

const columns: Column<LearnedAntenna>[] = [
  {
    id: 'antenna',
    header: t`Antenna`,
    cell: (row) => (
      <>
        <UserText>{row.reader_name}</UserText>
        <Text size="xs" c="dimmed">
          <Trans>Antenna {row.antenna}</Trans>
        </Text>
      </>
    ),
  },
  { id: 'below', header: t`Below the loudest`, align: 'end', cell: (row) => decibelText(row.below_loudest_db) },
  { id: 'visits', header: t`Visits`, align: 'end', cell: (row) => numberText(row.visits) },
];

const isGone = (error: unknown) => error !== null && problemOf(error).type === 'not_found';

type CalibrationProps = { location: { id: number; name: string }; canChange: boolean };

/**
 * Shows how well antennas read assets at a location, and lets managers calibrate the location or reset what was
 * learned.
 */
export function Calibration({ location, canChange }: CalibrationProps) {
  const trpc = useTRPC();
  const [isOpen, setOpen] = useState(false);
  const learned = useQuery(
    trpc.locations.signatures.queryOptions(
      { location_id: location.id },
      // No further requests once the location has been deleted.
      { refetchInterval: ({ state }) => (isGone(state.error) ? false : refetchMs) },
    ),
  );
  return (
    <Section
      title={t`Calibration`}
      description={t`How much quieter than the loudest antenna each one reads assets here, and in how many visits. Learned from visits and handheld scans, and best from calibrations. The location’s own tag calibrates it too, each time that a reader reads it.`}
    >
      {learned.data ? (
        <DataTable
          caption={t`What was learned of this location`}
          columns={columns}
          rows={learned.data}
          rowId={({ reader_id, antenna }) => `${reader_id} ${antenna}`}
          empty={<Text c="dimmed">{t`Nothing learned yet`}</Text>}
        />
      ) : (
        <Unanswered query={learned} height={16} />
      )}
      {canChange && (
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            leftSection={<IconTargetArrow size={16} aria-hidden />}
            onClick={() => setOpen(true)}
          >
            <Trans>Calibrate</Trans>
          </Button>
          {(learned.data?.length ?? 0) > 0 && <Reset locationId={location.id} />}
        </Group>
      )}
      {isOpen && <CalibrateDialog location={location} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function Reset({ locationId }: { locationId: number }) {
  const { trpc, answers: queries } = useServer();
  const reset = useMutation(trpc.locations.resetSignatures.mutationOptions());
  return (
    <ConfirmButton
      size="xs"
      question={t`Reset the calibration?`}
      consequence={t`What was learned of this location is deleted. Do this after antennas or shelves were moved, then calibrate again.`}
      confirm={t`Reset calibration`}
      onConfirm={async () => {
        await reset.mutateAsync({ location_id: locationId });
        await queries.invalidateQueries(trpc.locations.signatures.queryFilter({ location_id: locationId }));
      }}
    >
      <Trans>Reset</Trans>
    </ConfirmButton>
  );
}
