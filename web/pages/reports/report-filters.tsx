import { t } from '@lingui/core/macro';
import { Group, NumberInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import type { Range } from '../../reports/period.js';
import { FilterPanel } from '../../ui/filter-panel.js';
import { AssetSelect } from '../../ui/asset-select.js';
import { LocationSelect } from '../../ui/location-select.js';

type PeriodFilterProps = { range: Range; onChange: (change: { from?: string; to?: string }) => void };

/** The first and the last day of a report. */
export function PeriodFilter({ range: { fromDay, toDay }, onChange }: PeriodFilterProps) {
  return (
    <>
      <TextInput
        type="date"
        label={t`From`}
        value={fromDay}
        max={toDay}
        onChange={(event) => event.currentTarget.value && onChange({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t`To`}
        description={undefined}
        value={toDay}
        onChange={(event) => event.currentTarget.value && onChange({ to: event.currentTarget.value })}
      />
    </>
  );
}

type IdFilterProps = { id: number | undefined; onChange: (id: number | undefined) => void };

/** A location, with its sublocations. */
export function LocationFilter({ id, onChange }: IdFilterProps) {
  const trpc = useTRPC();
  const found = useQuery(trpc.locations.get.queryOptions({ location_id: id ?? 0 }, { enabled: id !== undefined }));
  const name = found.data?.data.name ?? (found.error ? t`Unknown location` : '…');
  return (
    <LocationSelect
      label={t`Location (incl. sublocations)`}
      placeholder={t`All locations`}
      value={id === undefined ? null : { id, label: name }}
      onChange={(choice) => onChange(choice?.id)}
    />
  );
}

export function AssetFilter({ id, onChange }: IdFilterProps) {
  const trpc = useTRPC();
  const found = useQuery(trpc.assets.detail.queryOptions({ asset_id: id ?? 0 }, { enabled: id !== undefined }));
  const name = found.data?.name ?? (found.error ? t`Unknown asset` : '…');
  return (
    <AssetSelect
      label={t`Asset`}
      value={id === undefined ? null : { id, label: name }}
      onChange={(choice) => onChange(choice?.id)}
    />
  );
}

/** For how many days assets have not been seen. */
export function DaysFilter({ days, onChange }: { days: number; onChange: (days: number) => void }) {
  return (
    <NumberInput
      label={t`Not seen for (days)`}
      w={150}
      min={1}
      max={3650}
      allowDecimal={false}
      value={days}
      onChange={(value) => typeof value === 'number' && value >= 1 && onChange(value)}
    />
  );
}

/** The filters of a report, side by side; on a phone behind one button. */
export function FilterBar({ children }: { children: React.ReactNode }) {
  return (
    <FilterPanel count={0}>
      <Group align="flex-end" gap="sm">
        {children}
      </Group>
    </FilterPanel>
  );
}
