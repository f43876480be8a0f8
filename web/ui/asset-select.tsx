import { t } from '@lingui/core/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTRPC } from '../api/trpc.js';
import { type Choice, SearchSelect, type SearchSelectProps } from './search-select.js';
import { useChoiceSearch } from './use-choice-search.js';

type AssetSelectProps = Pick<
  SearchSelectProps,
  'label' | 'description' | 'placeholder' | 'error' | 'required' | 'value' | 'onChange'
>;

/** Chooses one of the organization's assets by a part of its name, key or tags. */
export function AssetSelect(props: AssetSelectProps) {
  const trpc = useTRPC();
  const { field, input, isTyping } = useChoiceSearch();
  const found = useQuery(
    trpc.assets.list.queryOptions({ ...input, sort: 'name' }, { placeholderData: keepPreviousData }),
  );
  const choices: Choice[] =
    found.data?.data.map(({ id, name, external_key }) => ({ id, label: name, detail: external_key })) ?? [];
  return (
    <SearchSelect
      {...props}
      {...field}
      choices={choices}
      isLoading={found.isPending || found.isPlaceholderData || isTyping}
      nothing={t`No asset matches`}
    />
  );
}
