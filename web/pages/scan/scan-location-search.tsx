import { t } from '@lingui/core/macro';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import type { ScanLocation } from '../../scanning/batch.js';
import { SearchSelect } from '../../ui/search-select.js';
import { useKeptLocations } from './use-kept-locations.js';

const choicesMax = 8;
const pauseMs = 150;

type ScanLocationSearchProps = {
  onChoose: (location: ScanLocation) => void;
  /** Without a network, the locations that this device keeps are searched. */
  isOnline?: boolean;
};

/** Chooses the scan location by a part of its name, key or tags. */
export function ScanLocationSearch({ onChoose, isOnline = true }: ScanLocationSearchProps) {
  const trpc = useTRPC();
  const [search, setSearch] = useState('');
  const [q] = useDebouncedValue(search.trim(), pauseMs);
  const found = useQuery(
    trpc.locations.list.queryOptions(
      { ...(q ? { q } : {}), sort: 'name', limit: choicesMax },
      { placeholderData: keepPreviousData, enabled: isOnline },
    ),
  );
  const kept = useKeptLocations(q, !isOnline);
  const locations = isOnline ? found.data?.data : kept?.slice(0, choicesMax);
  const choices = locations?.map(({ id, name, external_key }) => ({ id, label: name, detail: external_key }));
  return (
    <SearchSelect
      label={t`Choose a location`}
      value={null}
      onChange={(choice) => {
        if (choice) onChoose({ id: choice.id, name: choice.label });
      }}
      search={search}
      onSearch={setSearch}
      choices={choices ?? []}
      isLoading={isOnline ? found.isFetching : kept === undefined}
      nothing={t`No location matches`}
      keepsSearch
    />
  );
}
