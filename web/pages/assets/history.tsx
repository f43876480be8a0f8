import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { byteOrderMark, csvLine, shieldCell } from '../../csv/cells.js';
import { saveFile } from '../../exports/collect-export.js';
import { dayText, shiftedDay } from '../../time/day.js';
import { Unanswered } from '../../ui/problem-state.js';
import { useNow } from '../../ui/times.js';
import type { AssetDetail } from './asset-values.js';
import { type DayRange, historyDaysMax, rangeOf } from './history-search.js';
import { HistoryPicture } from './history-picture.js';
import { placementText } from '../../ui/seen-when.js';
import { HistoryTable, wasSeen } from './history-table.js';
import { timelineOf } from './timeline.js';
import { useHistory, type Visit, visitsMax } from './use-history.js';

const route = getRouteApi('/app/assets/$assetId');

/** Where an asset was, day by day: a picture, a table and a file. The days are stored in the address. */
export function History({ asset }: { asset: AssetDetail }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const nowMs = useNow();
  const range = rangeOf(search, nowMs);
  const history = useHistory(asset.id, range);

  function show(from: string, to: string): void {
    void navigate({ search: { from, to }, resetScroll: false });
  }

  return (
    <Stack gap="sm">
      <Days range={range} today={dayText(nowMs)} onShow={show} />
      {history.data ? (
        <Shown
          visits={history.data.visits}
          isWhole={history.data.isWhole}
          range={range}
          asset={asset}
          onDay={(day) => show(day, day)}
        />
      ) : (
        <Unanswered query={history} height={180} />
      )}
    </Stack>
  );
}

type DaysProps = { range: DayRange; today: string; onShow: (from: string, to: string) => void };

const presets = [
  { value: '1', label: t`Today` },
  { value: '7', label: t`7 days` },
  { value: '31', label: t`31 days` },
];

function Days({ range: { from, to }, today, onShow }: DaysProps) {
  const preset = presets.find(({ value }) => to === today && from === shiftedDay(today, 1 - Number(value)));
  return (
    <Group gap="xs" align="flex-end">
      <SegmentedControl
        size="xs"
        aria-label={t`Days`}
        data={[...presets, ...(preset ? [] : [{ value: 'other', label: t`Other` }])]}
        value={preset?.value ?? 'other'}
        onChange={(value) => {
          if (value !== 'other') onShow(shiftedDay(today, 1 - Number(value)), today);
        }}
      />
      <TextInput
        type="date"
        size="xs"
        label={t`From`}
        max={today}
        value={from}
        onChange={({ currentTarget: { value } }) => {
          if (value === '') return;
          const last = shiftedDay(value, historyDaysMax - 1);
          onShow(value, to < value ? value : to > last ? last : to);
        }}
      />
      <TextInput
        type="date"
        size="xs"
        label={t`To`}
        max={today}
        value={to}
        onChange={({ currentTarget: { value } }) => {
          if (value === '') return;
          const first = shiftedDay(value, 1 - historyDaysMax);
          onShow(from > value ? value : from < first ? first : from, value);
        }}
      />
    </Group>
  );
}

type ShownProps = {
  visits: readonly Visit[];
  isWhole: boolean;
  range: DayRange;
  asset: AssetDetail;
  onDay: (day: string) => void;
};

function Shown({ visits, isWhole, range, asset, onDay }: ShownProps) {
  const nowMs = useNow();
  if (visits.length === 0) {
    return (
      <Text c="dimmed">{asset.position ? t`No visits on these days.` : t`Visits and their duration appear here.`}</Text>
    );
  }

  function save(): void {
    saveFile(
      new Blob([byteOrderMark, ...csvLines(visits)], { type: 'text/csv;charset=utf-8' }),
      `history-${asset.external_key}-${range.from}-${range.to}.csv`,
    );
  }

  return (
    <>
      {!isWhole && (
        <Alert color="yellow" title={t`Only the latest ${numberText(visitsMax)} visits are shown`}>
          <Trans>Choose fewer days to see all of them.</Trans>
        </Alert>
      )}
      <HistoryPicture timeline={timelineOf(visits, range, nowMs)} onDay={onDay} />
      <HistoryTable visits={visits} nowMs={nowMs} />
      <Group>
        <Button size="xs" variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
          <Trans>Download CSV</Trans>
        </Button>
      </Group>
    </>
  );
}

/** Instants are in UTC, as the service returns them. */
function csvLines(visits: readonly Visit[]): string[] {
  const header = [
    'location',
    'location_external_key',
    'arrived_at',
    'left_at',
    'duration_seconds',
    'last_seen_at',
    'note',
  ];
  return [
    csvLine(header),
    ...visits.map((visit) => {
      const { location, arrived_at, left_at, duration_seconds, last_seen_at, placement } = visit;
      return csvLine(
        [
          location?.path.map(({ name }) => name).join(' › ') ?? '',
          location?.external_key ?? '',
          arrived_at,
          left_at ?? '',
          duration_seconds === null ? '' : String(duration_seconds),
          wasSeen(visit) ? last_seen_at : '',
          placement ? placementText(placement) : '',
        ].map(shieldCell),
      );
    }),
  ];
}
