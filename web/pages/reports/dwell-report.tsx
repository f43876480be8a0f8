import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { lengthOf, rangeOf } from '../../reports/period.js';
import { Picture } from '../../reports/picture.js';
import { ReportSection } from '../../reports/report-section.js';
import type { Column } from '../../ui/data-table.js';
import { PagedTable } from '../../ui/paged-table.js';
import { durationText } from '../../ui/times.js';
import { labelsOf, LocationCell } from './location-cell.js';
import { FilterBar, LocationFilter, PeriodFilter } from './report-filters.js';
import type { ReportProps } from './report-props.js';

type Dwell = Outputs['reports']['dwell']['data'][number];

const title = t`Dwell time by location`;

const barsMax = 12;

const columns: Column<Dwell>[] = [
  { id: 'location', header: t`Location`, cell: (row) => <LocationCell location={row.location} /> },
  { id: 'visits', header: t`Visits`, align: 'end', cell: (row) => numberText(row.visits) },
  { id: 'median', header: t`Median`, align: 'end', cell: (row) => durationText(row.median_seconds * 1000) },
  { id: 'p95', header: t`95th percentile`, align: 'end', cell: (row) => durationText(row.p95_seconds * 1000) },
  { id: 'trend', header: t`Median vs. previous period`, align: 'end', hideBelow: 'sm', cell: (row) => trendText(row) },
];

/** Returns the change of the median compared with the previous period, in percent: "+12 %". */
function trendText({ median_seconds: now, before }: Dwell): string {
  if (!before || before.median_seconds === 0) return '–';
  const change = Math.round((now / before.median_seconds - 1) * 100);
  return `${change > 0 ? '+' : change < 0 ? '−' : ''}${numberText(Math.abs(change))} %`;
}

/** Returns the unit for a picture of durations, by the longest of them in seconds. */
function unitFor(longest: number): { unit: string; seconds: number } {
  if (longest > 3 * 3600) return { unit: t`Hours`, seconds: 3600 };
  return longest > 180 ? { unit: t`Minutes`, seconds: 60 } : { unit: t`Seconds`, seconds: 1 };
}

/** How long assets stayed at each location, compared with the previous period. */
export function DwellReport({ search, show }: ReportProps) {
  const trpc = useTRPC();
  const [nowMs] = useState(Date.now);
  const range = rangeOf(search, nowMs);
  const { location_id } = search;
  const report = useQuery(
    trpc.reports.dwell.queryOptions(
      { from: range.from, until: range.until, ...(location_id !== undefined && { location_id }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const rows = report.data?.data ?? [];
  const shown = rows.slice(0, barsMax);
  const labels = labelsOf(shown.map(({ location }) => location.name));
  const { unit, seconds } = unitFor(Math.max(0, ...shown.map(({ p95_seconds }) => p95_seconds)));

  return (
    <>
      <FilterBar>
        <PeriodFilter range={range} onChange={show} />
        <LocationFilter id={location_id} onChange={(id) => show({ location_id: id })} />
      </FilterBar>
      <ReportSection
        title={title}
        report={report}
        incomplete={
          report.data?.is_complete === false
            ? t`Only the 500 locations with the most visits are listed. Choose a location to see the others.`
            : undefined
        }
        emailed={{ kind: 'dwell', days: lengthOf(range), ...(location_id !== undefined && { location_id }) }}
        csv={{ name: 'dwell-time', table: () => tableOf(rows) }}
        picture={
          shown.length > 0 && (
            <Picture
              caption={t`Median and 95th percentile of the dwell time, for the locations with the most visits`}
              isHorizontal
              unit={unit}
              axis={t`Location`}
              series={[
                { name: 'median', label: t`Median`, color: 'petrol.6' },
                { name: 'p95', label: t`95th percentile`, color: 'orange.5' },
              ]}
              bars={shown.map(({ median_seconds, p95_seconds }, index) => ({
                label: labels[index] ?? '',
                median: median_seconds / seconds,
                p95: p95_seconds / seconds,
              }))}
            />
          )
        }
      >
        <PagedTable
          unit="location"
          caption={title}
          columns={columns}
          rows={report.data?.data}
          rowId={({ location }) => String(location.id)}
          isStale={report.isPlaceholderData}
          empty={t`No visits ended in this period.`}
        />
      </ReportSection>
    </>
  );
}

function tableOf(rows: readonly Dwell[]) {
  return {
    columns: [
      'location',
      'location_key',
      'visits',
      'median_seconds',
      'p95_seconds',
      'visits_before',
      'median_seconds_before',
      'p95_seconds_before',
    ],
    rows: rows.map(({ location, visits, median_seconds, p95_seconds, before }) => [
      location.name,
      location.external_key,
      visits,
      median_seconds,
      p95_seconds,
      before?.visits ?? null,
      before?.median_seconds ?? null,
      before?.p95_seconds ?? null,
    ]),
  };
}
