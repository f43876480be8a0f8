import { t } from '@lingui/core/macro';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../api/trpc.js';
import { type Choice, SearchSelect, type SearchSelectProps } from './search-select.js';

const choicesMax = 8;
const pauseMs = 150;

type ReaderSelectProps = Pick<SearchSelectProps, 'label' | 'placeholder' | 'withinPortal' | 'value' | 'onChange'>;

/** Chooses one of the organization's readers by a part of its name. */
export function ReaderSelect(props: ReaderSelectProps) {
  const trpc = useTRPC();
  const [search, setSearch] = useState('');
  const [q] = useDebouncedValue(search.trim(), pauseMs);
  const found = useQuery(
    trpc.readers.overview.queryOptions(
      { ...(q ? { q } : {}), limit: choicesMax },
      { placeholderData: keepPreviousData },
    ),
  );
  const choices: Choice[] =
    found.data?.data.map(({ id, name, location }) => ({
      id,
      label: name,
      ...(location === null ? {} : { detail: location.name }),
    })) ?? [];
  return (
    <SearchSelect
      {...props}
      search={search}
      onSearch={setSearch}
      choices={choices}
      isLoading={found.isPending || found.isPlaceholderData || q !== search.trim()}
      nothing={t`No matching readers`}
    />
  );
}
