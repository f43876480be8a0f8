import { t } from '@lingui/core/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Outputs } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { allRows } from '../../reports/csv-button.js';
import { Picture } from '../../reports/picture.js';
import { ReportSection } from '../../reports/report-section.js';
import type { Column } from '../../ui/data-table.js';
import { ListTable } from '../../ui/list-table.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { assetColumns } from './asset-columns.js';
import { labelsOf, LocationCell, noLocation } from './location-cell.js';
import { FilterBar, LocationFilter } from './report-filters.js';
import type { ReportProps } from './report-props.js';

type Missing = Outputs['reports']['missing']['data'][number];

const pageSize = 50;
const exportPageSize = 200;

const columns: Column<Missing>[] = [
  ...assetColumns<Missing>('md'),
  { id: 'kind', header: t`Kind`, hideBelow: 'sm', cell: (row) => <UserText>{row.kind?.name ?? ''}</UserText> },
  { id: 'belongs_to', header: t`Belongs to`, cell: (row) => <LocationCell location={row.belongs_to} /> },
  { id: 'location', header: t`Location`, cell: (row) => <LocationCell location={row.location} /> },
  { id: 'since', header: t`Here since`, hideBelow: 'sm', cell: (row) => <When at={row.located_since} never="" /> },
  {
    id: 'seen',
    header: t`Last seen`,
    hideBelow: 'md',
    cell: (row) => <When at={row.last_seen} never={t`Never seen`} />,
  },
];

/** Which assets are not where they belong. */
export function MissingReport({ search, show }: ReportProps) {
  const { trpc, api } = useServer();
  const { location_id, offset = 0 } = search;
  const input = location_id === undefined ? {} : { location_id };
  const report = useQuery(
    trpc.reports.missing.queryOptions({ ...input, limit: pageSize, offset }, { placeholderData: keepPreviousData }),
  );
  const counts = report.data?.by_kind ?? [];
  const labels = labelsOf(counts.map(({ kind }) => kind?.name ?? t`No kind`));

  async function table() {
    const rows = await allRows((from) => api.reports.missing.query({ ...input, limit: exportPageSize, offset: from }));
    return {
      columns: ['asset', 'asset_key', 'kind', 'belongs_to', 'location', 'located_since', 'last_seen'],
      rows: rows.map((row) => [
        row.name,
        row.external_key,
        row.kind?.name ?? '',
        row.belongs_to.name,
        row.location?.name ?? noLocation,
        row.located_since ?? '',
        row.last_seen ?? '',
      ]),
    };
  }

  return (
    <>
      <FilterBar>
        <LocationFilter id={location_id} onChange={(id) => show({ location_id: id })} />
      </FilterBar>
      <ReportSection
        title={t`Assets that are not where they belong`}
        report={report}
        emailed={{ kind: 'missing', ...input }}
        csv={{ name: 'missing', table }}
        picture={
          counts.length > 0 && (
            <Picture
              caption={t`Missing assets by kind`}
              isHorizontal
              unit={t`Assets`}
              axis={t`Kind`}
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
          empty={t`Every asset is where it belongs.`}
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
