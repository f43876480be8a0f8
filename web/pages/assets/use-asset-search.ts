import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { AssetSearch } from './search.js';

const route = getRouteApi('/app/assets');

export type ChangeSearch = (change: AssetChange, options?: { replace?: boolean }) => void;

/** A change of the address; undefined removes a part. */
export type AssetChange = { [Key in keyof AssetSearch]: AssetSearch[Key] | undefined };

/** Returns the filters, order and page of the list from the address, and a function that changes them. */
export function useAssetSearch(): [AssetSearch, ChangeSearch] {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback<ChangeSearch>(
    (changes, { replace = false } = {}) => {
      void navigate({
        replace,
        resetScroll: false,
        // A new filter or order begins at the first page.
        search: (before) => withoutUndefined({ ...before, offset: undefined, ...changes }),
      });
    },
    [navigate],
  );
  return [search, change];
}

function withoutUndefined(search: AssetChange): AssetSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
