import { t } from '@lingui/core/macro';
import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import { AssetSelect } from '../../ui/asset-select.js';
import { LocationSelect } from '../../ui/location-select.js';
import type { AlertsSearch } from './search.js';
import { useAssetChoice, useLocationChoice } from './use-choices.js';

type Props = { search: AlertsSearch; onChange: (search: AlertsSearch) => void };

/** Filters the list of alerts; the filters are stored in the address. */
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
        label={t`Status`}
        value={search.status ?? 'open'}
        onChange={(event) => {
          const status = event.currentTarget.value as NonNullable<AlertsSearch['status']> | 'open';
          set('status', status === 'open' ? undefined : status);
        }}
        data={[
          { value: 'open', label: t`Open` },
          { value: 'acknowledged', label: t`Acknowledged` },
          { value: 'ended', label: t`Ended` },
          { value: 'all', label: t`All` },
        ]}
      />
      <NativeSelect
        label={t`Rule`}
        value={search.rule_id ?? ''}
        onChange={(event) => set('rule_id', Number(event.currentTarget.value) || undefined)}
        data={[
          { value: '', label: t`All rules` },
          ...(rules.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <AssetSelect
        label={t`Asset`}
        placeholder={t`All assets`}
        value={asset}
        onChange={(choice) => set('asset_id', choice?.id)}
      />
      <LocationSelect
        label={t`Location`}
        placeholder={t`All locations`}
        value={location}
        onChange={(choice) => set('location_id', choice?.id)}
      />
      <TextInput
        type="date"
        label={t`From`}
        value={search.from ?? ''}
        onChange={(event) => set('from', event.currentTarget.value || undefined)}
      />
      <TextInput
        type="date"
        label={t`To`}
        value={search.to ?? ''}
        onChange={(event) => set('to', event.currentTarget.value || undefined)}
      />
    </SimpleGrid>
  );
}
