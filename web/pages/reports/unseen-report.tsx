import { t } from '@lingui/core/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Outputs } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { allRows } from '../../reports/csv-button.js';
import { Picture } from '../../reports/picture.js';
import { ReportSection } from '../../reports/report-section.js';
import type { Column } from '../../ui/data-table.js';
import { ListTable } from '../../ui/list-table.js';
import { quantity } from '../../ui/quantity.js';
import { When } from '../../ui/when.js';
import { assetColumns } from './asset-columns.js';
import { labelsOf, LocationCell, noLocation } from './location-cell.js';
import { DaysFilter, FilterBar, LocationFilter } from './report-filters.js';
import type { ReportProps } from './report-props.js';

type Unseen = Outputs['reports']['unseen']['data'][number];

const daysDefault = 7;
const pageSize = 50;
const exportPageSize = 200;

const columns: Column<Unseen>[] = [
  ...assetColumns<Unseen>('sm'),
  { id: 'location', header: t`Last location`, cell: (row) => <LocationCell location={row.location} /> },
  { id: 'seen', header: t`Last seen`, cell: (row) => <When at={row.last_seen} never={t`Never seen`} /> },
];

/** Which assets have not been seen for some days. */
export function UnseenReport({ search, show }: ReportProps) {
  const { trpc, api } = useServer();
  const { location_id, days = daysDefault, offset = 0 } = search;
  const input = { days, ...(location_id !== undefined && { location_id }) };
  const report = useQuery(
    trpc.reports.unseen.queryOptions({ ...input, limit: pageSize, offset }, { placeholderData: keepPreviousData }),
  );
  const counts = report.data?.by_location ?? [];
  const labels = labelsOf(counts.map(({ location }) => location?.name ?? noLocation));

  async function table() {
    const rows = await allRows((from) => api.reports.unseen.query({ ...input, limit: exportPageSize, offset: from }));
    return {
      columns: ['asset', 'asset_key', 'last_location', 'last_seen'],
      rows: rows.map(({ name, external_key, location, last_seen }) => [
        name,
        external_key,
        location?.name ?? noLocation,
        last_seen ?? '',
      ]),
    };
  }

  return (
    <>
      <FilterBar>
        <DaysFilter days={days} onChange={(next) => show({ days: next })} />
        <LocationFilter id={location_id} onChange={(id) => show({ location_id: id })} />
      </FilterBar>
      <ReportSection
        title={t`Assets not seen for ${quantity(days, 'day')}`}
        report={report}
        emailed={{ kind: 'unseen', ...input }}
        csv={{ name: 'not-seen', table }}
        picture={
          counts.length > 0 && (
            <Picture
              caption={t`Assets not seen, by the location where they were last seen`}
              isHorizontal
              unit={t`Assets`}
              axis={t`Location`}
              series={[{ name: 'assets', label: t`Assets`, color: 'petrol.6' }]}
              bars={counts.map(({ assets }, index) => ({ label: labels[index] ?? '', assets }))}
            />
          )
        }
      >
        <ListTable
          query={report}
          caption={t`Assets`}
          columns={columns}
          rowId={({ id }) => String(id)}
          empty={t`Every asset has been seen since.`}
          paging={{
            limit: pageSize,
            offset,
            unit: 'asset',
            onPage: (next) => show({ offset: next === 0 ? undefined : next }),
          }}
        />
      </ReportSection>
    </>
  );
}
