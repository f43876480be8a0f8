import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Api, useTRPCClient } from '../../api/trpc.js';
import { exportPages, type ExportRow, type ExportScope } from '../../exports/collect-export.js';
import { isChosen, type LabelsSearch } from './search.js';
import { foldText } from '../../ui/fold-text.js';

/** The most labels that are made at once. */
export const labelsMax = 1000;

export type Labeled = { rows: ExportRow[]; hasMore: boolean };

/** Returns the rows for which the address requests labels. */
export function useLabeled(search: LabelsSearch) {
  const api = useTRPCClient();
  return useQuery({
    queryKey: ['labels', search],
    queryFn: ({ signal }) => collect(api, search, signal),
    placeholderData: keepPreviousData,
    enabled: isChosen(search),
  });
}

async function collect(api: Api, search: LabelsSearch, signal: AbortSignal): Promise<Labeled> {
  const rows: ExportRow[] = [];
  for await (const page of exportPages(api, scopeOf(search), { signal })) {
    rows.push(...page);
    if (rows.length > labelsMax) break;
  }
  const found = search.kind === 'locations' && search.q !== undefined ? rows.filter(matching(search.q)) : rows;
  return { rows: found.slice(0, labelsMax), hasMore: found.length > labelsMax };
}

function scopeOf({ kind, ids, q, is_active, location_id }: LabelsSearch): ExportScope {
  const chosen = ids === undefined ? {} : { ids: ids.split(',').map(Number) };
  if (kind === 'locations') return { kind, ...chosen };
  const filter = {
    ...(q === undefined ? {} : { q }),
    ...(is_active === undefined ? {} : { is_active }),
    ...(location_id === undefined ? {} : { location_id }),
  };
  return { kind: 'assets', filter, ...chosen };
}

/** Locations are few enough to be filtered here. */
function matching(q: string): (row: ExportRow) => boolean {
  const wanted = foldText(q);
  return ({ name, external_key }) => foldText(name).includes(wanted) || foldText(external_key).includes(wanted);
}
