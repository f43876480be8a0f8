import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import { AssetSelect } from '../../ui/asset-select.js';
import { LocationSelect } from '../../ui/location-select.js';
import type { AlertsSearch } from './search.js';
import { useAssetChoice, useLocationChoice } from './use-choices.js';

type Props = { search: AlertsSearch; onChange: (search: AlertsSearch) => void };

/** Narrows the list of alerts; the filters are kept in the address. */
export function AlertFilters({ search, onChange }: Props) {
  const trpc = useTRPC();
  const rules = useQuery(trpc.alerts.rules.queryOptions());
  const asset = useAssetChoice(search.asset_id);
  const location = useLocationChoice(search.location_id);

  function set<Name extends keyof AlertsSearch>(name: Name, value: AlertsSearch[Name] | undefined): void {
    const { [name]: _before, ...rest } = search;
    onChange(value === undefined ? rest : { ...rest, [name]: value });
  }

  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      <NativeSelect
        label="Status"
        value={search.status ?? 'open'}
        onChange={(event) => {
          const status = event.currentTarget.value as NonNullable<AlertsSearch['status']> | 'open';
          set('status', status === 'open' ? undefined : status);
        }}
        data={[
          { value: 'open', label: 'Open' },
          { value: 'acknowledged', label: 'Acknowledged' },
          { value: 'ended', label: 'Ended' },
          { value: 'all', label: 'All' },
        ]}
      />
      <NativeSelect
        label="Rule"
        value={search.rule_id ?? ''}
        onChange={(event) => set('rule_id', Number(event.currentTarget.value) || undefined)}
        data={[
          { value: '', label: 'All rules' },
          ...(rules.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <AssetSelect
        label="Asset"
        placeholder="All assets"
        value={asset}
        onChange={(choice) => set('asset_id', choice?.id)}
      />
      <LocationSelect
        label="Location"
        placeholder="All locations"
        value={location}
        onChange={(choice) => set('location_id', choice?.id)}
      />
      <TextInput
        type="date"
        label="From"
        value={search.from ?? ''}
        onChange={(event) => set('from', event.currentTarget.value || undefined)}
      />
      <TextInput
        type="date"
        label="To"
        value={search.to ?? ''}
        onChange={(event) => set('to', event.currentTarget.value || undefined)}
      />
    </SimpleGrid>
  );
}
