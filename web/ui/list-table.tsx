import { DataTable, type DataTableProps } from './data-table.js';
import { Pager, type PagerProps } from './pager.js';
import { ProblemState } from './problem-state.js';

type ListTableProps<Item> = Omit<DataTableProps<Item>, 'rows' | 'isStale'> & {
  /** The query of this page of the list. */
  query: {
    data: { data: readonly Item[]; total_count?: number } | undefined;
    error: unknown;
    isPlaceholderData: boolean;
    refetch: () => unknown;
  };
  /** How the other pages are reached, if there can be others. */
  paging?: Pick<PagerProps, 'limit' | 'offset' | 'unit' | 'onPage'>;
};

/** A list of the service: its rows, the buttons to its other pages, or why it could not be loaded. */
export function ListTable<Item>({ query, paging, ...table }: ListTableProps<Item>) {
  const { data, error, isPlaceholderData, refetch } = query;
  if (error && !data) return <ProblemState error={error} onRetry={() => void refetch()} />;
  const total = data?.total_count ?? 0;
  return (
    <>
      <DataTable {...table} rows={data?.data} isStale={isPlaceholderData} />
      {paging && total > paging.limit && <Pager {...paging} total={total} />}
    </>
  );
}
