import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { lengthOf, rangeOf } from '../../reports/period.js';
import { ReportSection } from '../../reports/report-section.js';
import type { Column } from '../../ui/data-table.js';
import { PagedTable } from '../../ui/paged-table.js';
import { type Flow, FlowMatrix } from './flow-matrix.js';
import { LocationCell, noLocation } from './location-cell.js';
import { FilterBar, LocationFilter, PeriodFilter } from './report-filters.js';
import type { ReportProps } from './report-props.js';

const title = t`Flow between locations`;

const columns: Column<Flow>[] = [
  { id: 'from', header: t`Moved from`, cell: (row) => <LocationCell location={row.from} /> },
  { id: 'to', header: t`Moved to`, cell: (row) => <LocationCell location={row.to} /> },
  { id: 'moves', header: t`Moves`, align: 'end', cell: (row) => numberText(row.moves) },
];

/** How often assets moved from one location to another. */
export function FlowReport({ search, show }: ReportProps) {
  const trpc = useTRPC();
  const [nowMs] = useState(Date.now);
  const range = rangeOf(search, nowMs);
  const { location_id } = search;
  const report = useQuery(
    trpc.reports.flow.queryOptions(
      { from: range.from, until: range.until, ...(location_id !== undefined && { location_id }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const rows = report.data?.data ?? [];
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
            ? t`Only the 500 most frequent routes are listed. Choose a location to see the others.`
            : undefined
        }
        emailed={{ kind: 'flow', days: lengthOf(range), ...(location_id !== undefined && { location_id }) }}
        csv={{ name: 'flow', table: () => tableOf(rows) }}
        picture={rows.length > 0 && <FlowMatrix flows={rows} />}
      >
        <PagedTable
          unit="row"
          caption={title}
          columns={columns}
          rows={report.data?.data}
          rowId={({ from, to }) => `${from?.id ?? 0}-${to?.id ?? 0}`}
          isStale={report.isPlaceholderData}
          empty={t`No moves in this period.`}
        />
      </ReportSection>
    </>
  );
}

function tableOf(rows: readonly Flow[]) {
  return {
    columns: ['from', 'to', 'moves'],
    rows: rows.map(({ from, to, moves }) => [from?.name ?? noLocation, to?.name ?? noLocation, moves]),
  };
}
