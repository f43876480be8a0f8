import { useLocalStorage } from '@mantine/hooks';
import { assetColumns, hiddenAtFirst } from './asset-columns.js';
import { detailPrefix } from './search.js';

const storageKey = 'whereabouts-asset-list-columns';

/** The most custom details that the service lists in one table. */
export const detailColumnsMax = 10;

/** The choice of columns: the hidden columns, and the keys of custom details with a column. */
export type ColumnChoice = { hidden: readonly string[]; details: readonly string[] };

const atFirst: ColumnChoice = { hidden: hiddenAtFirst, details: [] };

/** Returns the columns that this browser shows, and a way to change them. */
export function useColumns(): [ColumnChoice, (choice: ColumnChoice) => void] {
  const [kept, setKept] = useLocalStorage<ColumnChoice>({
    key: storageKey,
    defaultValue: atFirst,
    getInitialValueInEffect: false,
  });
  const isReadable = Array.isArray(kept.hidden) && Array.isArray(kept.details);
  return [isReadable ? kept : atFirst, setKept];
}

/** Returns the visible columns of a choice, as stored in a saved view. */
export function columnsText({ hidden, details }: ColumnChoice): string[] {
  const shown = assetColumns.flatMap(({ id }) => (hidden.includes(id) ? [] : [id]));
  return [...shown, ...details.map((key) => `${detailPrefix}${key}`)];
}

/** Returns the choice that is stored in a saved view. */
export function choiceOf(columns: readonly string[]): ColumnChoice {
  const isDetail = (column: string) => column.startsWith(detailPrefix);
  return {
    hidden: assetColumns.flatMap(({ id }, index) => (index === 0 || columns.includes(id) ? [] : [id])),
    details: columns
      .filter(isDetail)
      .map((column) => column.slice(detailPrefix.length))
      .slice(0, detailColumnsMax),
  };
}

export type ColumnChooserProps = { choice: ColumnChoice; onChange: (choice: ColumnChoice) => void };
