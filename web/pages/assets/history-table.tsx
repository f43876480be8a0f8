import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { type Column, DataTable } from '../../ui/data-table.js';
import { startOfDay, useFormats } from '../../ui/formats.js';
import { durationText, exactTime } from '../../ui/times.js';
import { quantity } from '../../ui/quantity.js';
import { placementText } from '../../ui/seen-when.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import classes from './history.module.css';
import { LocationName, LocationPath } from './location-path.js';
import type { Visit } from './use-history.js';

const shownAtFirst = 20;

/** Lists visits, newest first: in a table with arrival and departure to the second, on a phone one line each. */
export function HistoryTable({ visits, nowMs }: { visits: readonly Visit[]; nowMs: number }) {
  const [isWhole, setWhole] = useState(false);
  const isNarrow = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
  const shown = isWhole ? visits : visits.slice(0, shownAtFirst);
  return (
    <>
      {isNarrow ? (
        <VisitList visits={shown} nowMs={nowMs} />
      ) : (
        <DataTable
          caption={t`Visits, newest first`}
          columns={columnsAt(nowMs)}
          rows={shown}
          rowId={({ arrived_at: at }) => at}
          isBoxed
          empty={null}
        />
      )}
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

function VisitList({ visits, nowMs }: { visits: readonly Visit[]; nowMs: number }) {
  return (
    <ul className={classes['visits']} aria-label={t`Visits, newest first`}>
      {visits.map((visit) => (
        <li key={visit.arrived_at} className={classes['visit']}>
          {visit.location ? <LocationName location={visit.location} /> : t`No location`}
          <span className={classes['length']}>
            {' · '}
            <Arrival at={visit.arrived_at} nowMs={nowMs} />
            {` · ${durationText(lengthOf(visit, nowMs))}`}
          </span>
          <PlacedBy visit={visit} />
        </li>
      ))}
    </ul>
  );
}

/** Who placed the asset there, if nobody saw it arrive. */
function PlacedBy({ visit: { placement } }: { visit: Visit }) {
  return (
    placement && (
      <Text size="xs" c="dimmed" component="div">
        <UserText>{placementText(placement)}</UserText>
      </Text>
    )
  );
}

/** The time of day of an arrival, with its date if that is not today. */
function Arrival({ at, nowMs }: { at: string; nowMs: number }) {
  const { clock, dateTime } = useFormats();
  const atMs = Date.parse(at);
  return (
    <time dateTime={at} title={exactTime(atMs)}>
      {(atMs >= startOfDay(nowMs) ? clock : dateTime).format(atMs)}
    </time>
  );
}

/** Returns whether anything has seen the asset during a visit, which can begin without a scan. */
export function wasSeen({ placement, arrived_at: from, last_seen_at: seen }: Visit): boolean {
  return placement === null || seen > from;
}

function lengthOf({ arrived_at: from, left_at: until }: Visit, nowMs: number): number {
  return (until === null ? nowMs : Date.parse(until)) - Date.parse(from);
}

function columnsAt(nowMs: number): Column<Visit>[] {
  return [
    {
      id: 'location',
      header: t`Location`,
      cell: (row) => (
        <>
          <LocationPath location={row.location} isSeen />
          <PlacedBy visit={row} />
        </>
      ),
    },
    { id: 'arrived', header: t`Arrived`, cell: (row) => <Instant at={row.arrived_at} /> },
    {
      id: 'left',
      header: t`Left`,
      cell: (row) =>
        row.left_at === null && !wasSeen(row) ? (
          t`now`
        ) : row.left_at === null ? (
          <>
            <Trans>
              now, last seen <When at={row.last_seen_at} />
            </Trans>
          </>
        ) : (
          <Instant at={row.left_at} />
        ),
    },
    { id: 'duration', header: t`Duration`, align: 'end', cell: (row) => durationText(lengthOf(row, nowMs)) },
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
