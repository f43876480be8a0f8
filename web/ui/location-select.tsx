import { t } from '@lingui/core/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTRPC } from '../api/trpc.js';
import { type Choice, SearchSelect, type SearchSelectProps } from './search-select.js';
import { useChoiceSearch } from './use-choice-search.js';

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
  | 'withinPortal'
  | 'value'
  | 'onChange'
>;

/** Chooses one of the organization's locations by words of its whole path. */
export function LocationSelect(props: LocationSelectProps) {
  const trpc = useTRPC();
  const { field, input, isTyping } = useChoiceSearch();
  const found = useQuery(trpc.locations.search.queryOptions(input, { placeholderData: keepPreviousData }));
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
      {...field}
      choices={choices}
      isLoading={found.isPending || found.isPlaceholderData || isTyping}
      nothing={t`No location matches`}
    />
  );
}
