import { useServer } from '../../api/use-server.js';
import { ListTable } from '../../ui/list-table.js';
import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { allRows } from '../../reports/csv-button.js';
import { rangeOf } from '../../reports/period.js';
import { Picture } from '../../reports/picture.js';
import { ReportSection } from '../../reports/report-section.js';
import type { Column } from '../../ui/data-table.js';
import { formats } from '../../ui/formats.js';
import { AnchorLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { labelsOf, LocationCell } from '../reports/location-cell.js';
import { FilterBar, LocationFilter, PeriodFilter } from '../reports/report-filters.js';
import { ReportTabs } from '../reports/report-tabs.js';
import type { AuditsSearch } from '../reports/search.js';
import { type Audit, outcomes } from './words.js';

const route = getRouteApi('/app/audits');

const title = t`Audits`;

const pageSize = 50;
const barsMax = 12;
const exportPageSize = 200;

const count = (name: 'found' | 'missing' | 'unexpected' | 'unassigned', header: string): Column<Audit> => ({
  id: name,
  header,
  align: 'end',
  ...(name === 'unexpected' || name === 'unassigned' ? { hideBelow: 'sm' } : {}),
  cell: (row) => numberText(row[name]),
});

const columns: Column<Audit>[] = [
  {
    id: 'saved',
    header: t`Saved`,
    cell: (row) => (
      <AnchorLink to="/audits/$auditId" params={{ auditId: row.id }}>
        <When at={row.saved_at} />
      </AnchorLink>
    ),
  },
  { id: 'location', header: t`Location`, cell: (row) => <LocationCell location={row.location} /> },
  ...outcomes.map(({ name, label }) => count(name, label)),
  {
    id: 'by',
    header: t`Saved by`,
    hideBelow: 'md',
    cell: (row) => <UserText>{row.saved_by ?? t`Former member`}</UserText>,
  },
];

/** The saved audits of a period: what was found and missing in each, as a picture, a table and a CSV file. */
export function AuditsPage() {
  const { trpc, api } = useServer();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [nowMs] = useState(Date.now);
  const range = rangeOf(search, nowMs);
  const { location_id, offset = 0 } = search;
  const input = { from: range.from, until: range.until, ...(location_id !== undefined && { location_id }) };
  const audits = useQuery(
    trpc.audits.list.queryOptions({ ...input, limit: pageSize, offset }, { placeholderData: keepPreviousData }),
  );
  const shown = (audits.data?.data ?? []).slice(0, barsMax).reverse();
  const labels = labelsOf(
    shown.map(({ location, saved_at }) => `${formats().date.format(Date.parse(saved_at))} ${location.name}`),
  );

  function show(change: Partial<Record<keyof AuditsSearch, unknown>>): void {
    const next = Object.entries({ ...search, offset: undefined, ...change }).filter(([, value]) => value !== undefined);
    void navigate({ search: Object.fromEntries(next), replace: true, resetScroll: false });
  }

  async function table() {
    const rows = await allRows((from) => api.audits.list.query({ ...input, limit: exportPageSize, offset: from }));
    return {
      columns: [
        'audit',
        'location',
        'location_key',
        'started_at',
        'saved_at',
        'saved_by',
        ...outcomes.map(({ name }) => name),
      ],
      rows: rows.map((audit) => [
        audit.id,
        audit.location.name,
        audit.location.external_key,
        audit.started_at,
        audit.saved_at,
        audit.saved_by,
        ...outcomes.map(({ name }) => audit[name]),
      ]),
    };
  }

  return (
    <Page title={title} description={t`Saved audits of locations. Start one on the page of a location.`}>
      <ReportTabs current="audits" />
      <FilterBar>
        <PeriodFilter range={range} onChange={show} />
        <LocationFilter id={location_id} onChange={(id) => show({ location_id: id })} />
      </FilterBar>
      <ReportSection
        title={t`Saved audits`}
        report={audits}
        csv={{ name: 'audits', table }}
        picture={
          shown.length > 0 && (
            <Picture
              caption={t`Assets and tags by outcome, in the latest audits of this list`}
              isHorizontal
              isStacked
              unit={t`Assets and tags`}
              axis={t`Audit`}
              series={outcomes.map(({ label, color }) => ({ name: label, color: `${color}.6` }))}
              bars={shown.map((audit, index) => ({
                label: labels[index] ?? '',
                ...Object.fromEntries(outcomes.map(({ name, label }) => [label, audit[name]])),
              }))}
            />
          )
        }
      >
        <ListTable
          query={audits}
          caption={title}
          columns={columns}
          rowId={({ id }) => id}
          empty={t`No audits in this period.`}
          paging={{
            limit: pageSize,
            offset,
            unit: 'audit',
            onPage: (next) => show({ offset: next === 0 ? undefined : next }),
          }}
        />
      </ReportSection>
    </Page>
  );
}
