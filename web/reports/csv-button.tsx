import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { FormProblem } from '../api/server-form.js';
import { byteOrderMark, csvLine, shieldCell } from '../csv/cells.js';
import { saveFile } from '../exports/collect-export.js';

export type CsvCell = string | number | null;

export type CsvTable = { columns: readonly string[]; rows: readonly (readonly CsvCell[])[] };

type CsvButtonProps = {
  /** The name of the file, without the day and the extension. */
  name: string;
  /** Collects the table when the button is pressed. */
  table: () => CsvTable | Promise<CsvTable>;
  disabled?: boolean;
};

/** Saves a table as a CSV file, with cells that spreadsheets do not execute. */
export function CsvButton({ name, table, disabled = false }: CsvButtonProps) {
  const save = useMutation({
    mutationFn: async () => {
      const { columns, rows } = await table();
      const lines = rows.map((row) => csvLine(row.map(cellText)));
      const file = new Blob([byteOrderMark, csvLine(columns), ...lines], { type: 'text/csv;charset=utf-8' });
      saveFile(file, `${name}-${new Date().toISOString().slice(0, 10)}.csv`);
    },
  });

  return (
    <Group gap="xs">
      <FormProblem error={save.error} />
      <Button
        variant="default"
        size="xs"
        disabled={disabled}
        loading={save.isPending}
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => save.mutate()}
      >
        <Trans>Export CSV</Trans>
      </Button>
    </Group>
  );
}

/** Returns the text of a cell. A number is never a formula, although it can begin with a minus. */
function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  return typeof cell === 'number' ? String(cell) : shieldCell(cell);
}

const pagesMax = 500;

/** Collects all rows of a list that is loaded page by page. */
export async function allRows<Row>(
  ask: (offset: number) => Promise<{ data: Row[]; total_count: number }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 0; page < pagesMax; page += 1) {
    const { data, total_count: total } = await ask(rows.length);
    rows.push(...data);
    if (data.length === 0 || rows.length >= total) break;
  }
  return rows;
}
