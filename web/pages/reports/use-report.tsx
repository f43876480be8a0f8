import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { lengthOf, rangeOf } from '../../reports/period.js';
import { Picture } from '../../reports/picture.js';
import { ReportSection } from '../../reports/report-section.js';
import type { Column } from '../../ui/data-table.js';
import { PagedTable } from '../../ui/paged-table.js';
import { shownTimeZone } from '../../ui/formats.js';
import { durationText } from '../../ui/times.js';
import { labelsOf, LocationCell, noLocation } from './location-cell.js';
import { AssetFilter, FilterBar, PeriodFilter } from './report-filters.js';
import type { ReportProps } from './report-props.js';

type Use = Outputs['reports']['use']['data'][number];

const texts = {
  title: t`Use of an asset by location and hour`,
  others: t`Other locations`,
};

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const colors = ['petrol.6', 'orange.5', 'grape.5', 'lime.6', 'indigo.4', 'pink.5', 'yellow.6'];

const columns: Column<Use>[] = [
  { id: 'location', header: t`Location`, cell: (row) => <LocationCell location={row.location} /> },
  { id: 'time', header: t`Time there`, align: 'end', cell: (row) => durationText(row.seconds * 1000) },
  { id: 'busiest', header: t`Mostly between`, align: 'end', hideBelow: 'xs', cell: (row) => busiestHour(row) },
];

function busiestHour({ seconds_by_hour: seconds }: Use): string {
  const hour = seconds.indexOf(Math.max(...seconds));
  return t`${hour}:00 and ${hour + 1}:00`;
}

/** Where an asset spent its time, by hour of the day. */
export function UseReport({ search, show }: ReportProps) {
  const trpc = useTRPC();
  const [nowMs] = useState(Date.now);
  const range = rangeOf(search, nowMs);
  const { asset_id = 0 } = search;
  const report = useQuery(
    trpc.reports.use.queryOptions(
      {
        asset_id,
        from: range.from,
        until: range.until,
        time_zone: shownTimeZone(),
      },
      { enabled: asset_id > 0 },
    ),
  );
  const rows = report.data?.data ?? [];
  return (
    <>
      <FilterBar>
        <AssetFilter id={search.asset_id} onChange={(id) => show({ asset_id: id })} />
        <PeriodFilter range={range} onChange={show} />
      </FilterBar>
      {asset_id === 0 ? (
        <Text c="dimmed">{t`Choose an asset.`}</Text>
      ) : (
        <ReportSection
          title={texts.title}
          report={report}
          emailed={{ kind: 'use', days: lengthOf(range), asset_id }}
          csv={{ name: 'asset-use', table: () => tableOf(rows) }}
          picture={rows.length > 0 && <UsePicture uses={rows} />}
        >
          <PagedTable
            unit="location"
            caption={texts.title}
            columns={columns}
            rows={report.data?.data}
            rowId={({ location }) => String(location?.id ?? 0)}
            empty={t`The asset was not seen in this period.`}
          />
        </ReportSection>
      )}
    </>
  );
}

function UsePicture({ uses }: { uses: readonly Use[] }) {
  const shown = uses.slice(0, colors.length);
  const others = uses.slice(colors.length);
  const labels = labelsOf(shown.map(({ location }) => location?.name ?? noLocation));
  const series = labels.map((name, index) => ({ name, color: colors[index] ?? 'gray.5' }));
  if (others.length > 0) series.push({ name: texts.others, color: 'gray.5' });
  const bars = hours.map((hour) => ({
    label: String(hour),
    ...Object.fromEntries(shown.map((use, index) => [labels[index] ?? '', hoursOf(use, hour)])),
    ...(others.length > 0 && { [texts.others]: others.reduce((sum, use) => sum + hoursOf(use, hour), 0) }),
  }));
  return (
    <Picture
      caption={t`Hours at each location, by hour of the day`}
      unit={t`Hours`}
      axis={t`Hour of the day`}
      isStacked
      series={series}
      bars={bars}
    />
  );
}

function hoursOf({ seconds_by_hour: seconds }: Use, hour: number): number {
  return (seconds[hour] ?? 0) / 3600;
}

function tableOf(rows: readonly Use[]) {
  return {
    columns: ['location', 'hour_of_day', 'seconds'],
    rows: rows.flatMap(({ location, seconds_by_hour: seconds }) =>
      hours.map((hour) => [location?.name ?? noLocation, hour, Math.round(seconds[hour] ?? 0)]),
    ),
  };
}
