import { t } from '@lingui/core/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Outputs } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { allRows } from '../../reports/csv-button.js';
import { Picture } from '../../reports/picture.js';
import { ReportSection } from '../../reports/report-section.js';
import { InstantField } from '../../time/instant-field.js';
import { instantText, instantWords } from '../../time/instant.js';
import type { Column } from '../../ui/data-table.js';
import { ListTable } from '../../ui/list-table.js';
import { When } from '../../ui/when.js';
import { LocationName } from '../assets/location-path.js';
import { assetColumns } from './asset-columns.js';
import { labelsOf, LocationCell } from './location-cell.js';
import { FilterBar, LocationFilter } from './report-filters.js';
import type { ReportProps } from './report-props.js';

type Present = Outputs['visits']['assets']['data'][number];

const titleOf = (words: string) => t`Inventory at ${words}`;

const pageSize = 50;
const barsMax = 15;
const exportPageSize = 200;

/** The belonging of assets is only known for now, not for the instant of the report. */
const belongsToNow: Column<Present> = {
  id: 'belongs_to_now',
  header: t`Belongs to (now)`,
  hideBelow: 'sm',
  cell: (row) => (row.belongs_to_now ? <LocationName location={row.belongs_to_now} /> : null),
};

const columns: Column<Present>[] = [
  ...assetColumns<Present>('sm'),
  { id: 'location', header: t`Location`, cell: (row) => <LocationCell location={row.location} /> },
  { id: 'arrived', header: t`Arrived`, hideBelow: 'sm', cell: (row) => <When at={row.arrived_at} /> },
];

/** Which assets were where at an instant. */
export function InventoryReport({ search, show }: ReportProps) {
  const { trpc, api } = useServer();
  const [nowMs] = useState(Date.now);
  const { location_id, at = instantText(nowMs), offset = 0 } = search;
  const input = { at, ...(location_id !== undefined && { location_id }) };
  const options = { placeholderData: keepPreviousData };
  const counts = useQuery(trpc.visits.counts.queryOptions(input, options));
  const assets = useQuery(trpc.visits.assets.queryOptions({ ...input, limit: pageSize, offset }, options));
  const bars = (counts.data?.data ?? [])
    .filter(({ assets_here: here }) => here > 0)
    .sort((one, other) => other.assets_here - one.assets_here)
    .slice(0, barsMax);
  const hasBelonging = assets.data?.data.some(({ belongs_to_now: location }) => location !== null) ?? false;
  const labels = labelsOf(bars.map(({ name }) => name));
  const error = counts.error ?? assets.error;
  const refetch = () => Promise.all([counts.refetch(), assets.refetch()]);

  async function table() {
    const rows = await allRows((from) => api.visits.assets.query({ ...input, limit: exportPageSize, offset: from }));
    return {
      columns: ['asset', 'asset_key', 'location', 'location_key', 'belongs_to_now', 'arrived_at', 'left_at'],
      rows: rows.map((row) => [
        row.name,
        row.external_key,
        row.location.name,
        row.location.external_key,
        row.belongs_to_now?.name ?? '',
        row.arrived_at,
        row.left_at,
      ]),
    };
  }

  return (
    <>
      <FilterBar>
        <InstantField key={at} label={t`Date and time`} at={at} onChange={(next) => show({ at: next })} />
        <LocationFilter id={location_id} onChange={(id) => show({ location_id: id })} />
      </FilterBar>
      <ReportSection
        title={titleOf(instantWords(Date.parse(at), nowMs))}
        report={{ error, isPending: counts.isPending, refetch }}
        emailed={{ kind: 'inventory', ...(location_id !== undefined && { location_id }) }}
        csv={{ name: 'inventory', table }}
        picture={
          bars.length > 0 && (
            <Picture
              caption={t`Assets at each location, without those in its sublocations`}
              isHorizontal
              unit={t`Assets`}
              axis={t`Location`}
              series={[{ name: 'assets', label: t`Assets`, color: 'petrol.6' }]}
              bars={bars.map(({ assets_here: here }, index) => ({ label: labels[index] ?? '', assets: here }))}
            />
          )
        }
      >
        <ListTable
          query={assets}
          caption={t`Assets`}
          columns={hasBelonging ? [...columns, belongsToNow] : columns}
          rowId={({ id }) => String(id)}
          empty={t`No assets were at a known location at this time.`}
          paging={{
            limit: pageSize,
            offset,
            unit: 'asset',
            onPage: (next) => show({ at, offset: next === 0 ? undefined : next }),
          }}
        />
      </ReportSection>
    </>
  );
}
