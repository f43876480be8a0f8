import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { type ColumnDef, DataTable } from '../../ui/data-table.js';
import { useFormats } from '../../ui/formats.js';
import { durationText, exactTime } from '../../ui/times.js';
import { quantity } from '../../ui/quantity.js';
import { When } from '../../ui/when.js';
import { LocationPath } from './location-path.js';
import type { Visit } from './use-history.js';

const shownAtFirst = 20;

/** Lists visits, newest first, with arrival and departure to the second. */
export function HistoryTable({ visits, nowMs }: { visits: readonly Visit[]; nowMs: number }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? visits : visits.slice(0, shownAtFirst);
  return (
    <>
      <DataTable
        caption={t`Visits, newest first`}
        columns={columnsAt(nowMs)}
        rows={shown}
        rowId={({ arrived_at: at }) => at}
        isBoxed
        empty={null}
      />
      {shown.length < visits.length && (
        <Group>
          <Button size="xs" variant="default" onClick={() => setWhole(true)}>
            <Trans>Show all {quantity(visits.length, 'visit')}</Trans>
          </Button>
        </Group>
      )}
    </>
  );
}

function columnsAt(nowMs: number): ColumnDef<Visit>[] {
  return [
    {
      id: 'location',
      header: t`Location`,
      cell: ({ row }) => <LocationPath location={row.original.location} isSeen isOneLine />,
    },
    { id: 'arrived', header: t`Arrived`, cell: ({ row }) => <Instant at={row.original.arrived_at} /> },
    {
      id: 'left',
      header: t`Left`,
      cell: ({ row: { original } }) =>
        original.left_at === null ? (
          <>
            <Trans>
              now, last seen <When at={original.last_seen_at} />
            </Trans>
          </>
        ) : (
          <Instant at={original.left_at} />
        ),
    },
    {
      id: 'duration',
      header: t`Duration`,
      meta: { align: 'end' },
      cell: ({ row: { original } }) => {
        const endMs = original.left_at === null ? nowMs : Date.parse(original.left_at);
        return durationText(endMs - Date.parse(original.arrived_at));
      },
    },
  ];
}

function Instant({ at }: { at: string }) {
  const atMs = Date.parse(at);
  return (
    <time dateTime={at} title={exactTime(atMs)}>
      {useFormats().dateSecond.format(atMs)}
    </time>
  );
}
