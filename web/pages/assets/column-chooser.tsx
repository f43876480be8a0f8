import { t } from '@lingui/core/macro';
import { Button, Popover } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconColumns } from '@tabler/icons-react';
import { Suspense } from 'react';
import { assetColumns, hiddenAtFirst } from './asset-columns.js';
import { lazyPart } from '../../ui/lazy-part.js';

/** Loaded when it is first opened. */
const ColumnList = lazyPart(() => import('./column-list.js'), 'ColumnList');

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

const detailPrefix = 'detail:';

/** Returns the visible columns of a choice, as stored in a saved view. */
export function columnsText({ hidden, details }: ColumnChoice): string[] {
  const shown = assetColumns.flatMap(({ id = '' }) => (hidden.includes(id) ? [] : [id]));
  return [...shown, ...details.map((key) => `${detailPrefix}${key}`)];
}

/** Returns the choice that is stored in a saved view. */
export function choiceOf(columns: readonly string[]): ColumnChoice {
  const isDetail = (column: string) => column.startsWith(detailPrefix);
  return {
    hidden: assetColumns.flatMap(({ id = '' }, index) => (index === 0 || columns.includes(id) ? [] : [id])),
    details: columns
      .filter(isDetail)
      .map((column) => column.slice(detailPrefix.length))
      .slice(0, detailColumnsMax),
  };
}

export type ColumnChooserProps = { choice: ColumnChoice; onChange: (choice: ColumnChoice) => void };

/** Chooses the columns and the density of the table. The name is always shown, since it links to the asset. */
export function ColumnChooser({ choice, onChange }: ColumnChooserProps) {
  return (
    <Popover position="bottom-end" trapFocus withRoles returnFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns size={16} aria-hidden />}>{t`Columns`}</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Columns`}>
        <Suspense>
          <ColumnList choice={choice} onChange={onChange} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
