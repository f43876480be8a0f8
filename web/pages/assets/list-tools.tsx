import { Group } from '@mantine/core';
import { ExportButton } from '../../exports/export-button.js';
import type { ColumnChoice } from './column-choice.js';
import { ColumnChooser } from './column-chooser.js';
import type { filterInput } from './search.js';

export type ListToolsProps = {
  filter: ReturnType<typeof filterInput>;
  /** How many assets the filter finds, if that is known. */
  total: number | undefined;
  columns: ColumnChoice;
  onColumns: (choice: ColumnChoice) => void;
};

/** What can be done with the list: export, and the choice of columns. On a phone it is behind **Filters**. */
export function ListTools({ filter, total, columns, onColumns }: ListToolsProps) {
  return (
    <Group gap="xs">
      <ExportButton size="xs" scope={{ kind: 'assets', filter }} total={total} />
      <ColumnChooser choice={columns} onChange={onColumns} />
    </Group>
  );
}
