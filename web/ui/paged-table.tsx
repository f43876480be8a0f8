import { useState } from 'react';
import { DataTable, type DataTableProps } from './data-table.js';
import { Pager } from './pager.js';
import type { Counted } from './quantity.js';

const pageSize = 25;

/** A table that shows its rows page by page; all rows are loaded. `unit` is what its rows are. */
export function PagedTable<Item>({ unit, ...props }: DataTableProps<Item> & { unit: Counted }) {
  const [asked, setAsked] = useState(0);
  const total = props.rows?.length ?? 0;
  // There may be fewer rows than before.
  const offset = asked < total ? asked : 0;
  return (
    <>
      <DataTable {...props} rows={props.rows?.slice(offset, offset + pageSize)} />
      {total > pageSize && <Pager limit={pageSize} offset={offset} total={total} unit={unit} onPage={setAsked} />}
    </>
  );
}
