import { t } from '@lingui/core/macro';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../api/trpc.js';
import { type Choice, SearchSelect, type SearchSelectProps } from './search-select.js';

const choicesMax = 8;
const pauseMs = 150;

type LocationSelectProps = Pick<
  SearchSelectProps,
  | 'label'
  | 'isLabelHidden'
  | 'size'
  | 'description'
  | 'placeholder'
  | 'error'
  | 'required'
  | 'disabled'
  | 'value'
  | 'onChange'
>;

/** Chooses one of the organization's locations by words of its whole path. */
export function LocationSelect(props: LocationSelectProps) {
  const trpc = useTRPC();
  const [search, setSearch] = useState('');
  const [q] = useDebouncedValue(search.trim(), pauseMs);
  const found = useQuery(
    trpc.locations.search.queryOptions(
      { ...(q ? { q } : {}), limit: choicesMax },
      { placeholderData: keepPreviousData },
    ),
  );
  const choices: Choice[] =
    found.data?.map(({ id, name, external_key, path }) => ({
      id,
      label: name,
      detail:
        path
          .slice(0, -1)
          .map((above) => above.name)
          .join(' › ') || external_key,
    })) ?? [];
  return (
    <SearchSelect
      {...props}
      search={search}
      onSearch={setSearch}
      choices={choices}
      isLoading={found.isPending || found.isPlaceholderData || q !== search.trim()}
      nothing={t`No location matches`}
    />
  );
}
