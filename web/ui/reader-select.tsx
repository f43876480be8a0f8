import { t } from '@lingui/core/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTRPC } from '../api/trpc.js';
import { type Choice, SearchSelect, type SearchSelectProps } from './search-select.js';
import { useChoiceSearch } from './use-choice-search.js';

type ReaderSelectProps = Pick<SearchSelectProps, 'label' | 'placeholder' | 'withinPortal' | 'value' | 'onChange'>;

/** Chooses one of the organization's readers by a part of its name. */
export function ReaderSelect(props: ReaderSelectProps) {
  const trpc = useTRPC();
  const { field, input, isTyping } = useChoiceSearch();
  const found = useQuery(trpc.readers.overview.queryOptions(input, { placeholderData: keepPreviousData }));
  const choices: Choice[] =
    found.data?.data.map(({ id, name, location }) => ({
      id,
      label: name,
      ...(location === null ? {} : { detail: location.name }),
    })) ?? [];
  return (
    <SearchSelect
      {...props}
      {...field}
      choices={choices}
      isLoading={found.isPending || found.isPlaceholderData || isTyping}
      nothing={t`No matching readers`}
    />
  );
}
