import { t } from '@lingui/core/macro';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../api/trpc.js';
import { type Choice, SearchSelect, type SearchSelectProps } from './search-select.js';

const choicesMax = 8;
const pauseMs = 150;

type AssetSelectProps = Pick<
  SearchSelectProps,
  'label' | 'description' | 'placeholder' | 'error' | 'required' | 'value' | 'onChange'
>;

/** Chooses one of the organization's assets by a part of its name, key or tags. */
export function AssetSelect(props: AssetSelectProps) {
  const trpc = useTRPC();
  const [search, setSearch] = useState('');
  const [q] = useDebouncedValue(search.trim(), pauseMs);
  const found = useQuery(
    trpc.assets.list.queryOptions(
      { ...(q ? { q } : {}), sort: 'name', limit: choicesMax },
      { placeholderData: keepPreviousData },
    ),
  );
  const choices: Choice[] =
    found.data?.data.map(({ id, name, external_key }) => ({ id, label: name, detail: external_key })) ?? [];
  return (
    <SearchSelect
      {...props}
      search={search}
      onSearch={setSearch}
      choices={choices}
      isLoading={found.isPending || found.isPlaceholderData || q !== search.trim()}
      nothing={t`No asset matches`}
    />
  );
}
