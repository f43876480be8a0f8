import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Group, List, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertCircle, IconInfoCircle } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { FileKind } from '../../csv/columns.js';
import type { Encoding } from '../../csv/decode.js';
import type { Choices, ReadFile } from '../../csv/read-file.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import { ColumnChoices } from './column-choices.js';
import { IgnoredColumns } from './ignored-columns.js';
import { keepColumns, keepHeader, keptColumns } from './kept-columns.js';
import { LeftOutRows } from './left-out-rows.js';
import { Sending } from './sending.js';

/** A file that was opened; the encoding is null for a workbook. `readWith` reads it with what a person has chosen. */
export type Source = {
  encoding: Encoding | null;
  /** The sheet of a workbook that is read. */
  sheet?: string;
  /** Sheets of a workbook that are not read. */
  otherSheets?: readonly string[];
  readWith: (choices: Choices) => Promise<ReadFile>;
};

const rowTexts = {
  ',': (rows: string) => t`${rows}, separated by commas`,
  ';': (rows: string) => t`${rows}, separated by semicolons`,
  '\t': (rows: string) => t`${rows}, separated by tabs`,
  '|': (rows: string) => t`${rows}, separated by vertical bars`,
} as const;

type UnderstoodFileProps = {
  kind: FileKind;
  /** Of the remembered columns. */
  owner: string;
  name: string;
  source: Source;
  initial: { read: ReadFile; choices: Choices };
  onSheet: (sheet: string) => void;
};

/** Shows how a file is read, which a person can change, and sends it. */
export function UnderstoodFile({ kind, owner, name, source, initial, onSheet }: UnderstoodFileProps) {
  const { encoding, readWith } = source;
  const [read, setRead] = useState(initial.read);
  const [shown, setShown] = useState(initial.choices);
  const choices = useRef(initial.choices);
  const rows = quantity(read.rows.length, 'row');

  async function change(next: Choices): Promise<void> {
    choices.current = next;
    setShown(next);
    let answer = await readWith(next);
    const kept = next.columns ? undefined : keptColumns({ owner, kind, meanings: answer.meanings });
    if (kept && choices.current === next) {
      choices.current = { ...next, columns: kept };
      answer = await readWith(choices.current);
      if (choices.current.columns === kept) setRead(answer);
      return;
    }
    // If a later choice has been made meanwhile, this result is dropped.
    if (choices.current === next) setRead(answer);
  }

  function chooseColumn(index: number, column: string | null): void {
    const columns = new Map(choices.current.columns).set(index, column);
    keepColumns({ owner, kind, meanings: read.meanings }, columns);
    void change({ ...choices.current, columns });
  }

  /** Another line has other columns. */
  function chooseHeader(headerLine: number): void {
    const { columns: _, ...others } = choices.current;
    const text = read.firstRows.find(({ line }) => line === headerLine)?.text;
    if (text !== undefined) keepHeader({ owner, kind, text });
    void change({ ...others, headerLine });
  }

  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h4">
          <UserText>{name}</UserText>
        </Title>
        <Text size="sm" c="dimmed">
          {read.delimiter === null ? rows : rowTexts[read.delimiter](rows)}
        </Text>
        <Group gap="sm" align="flex-end">
          <SheetSelect source={source} onSheet={onSheet} />
          <HeaderSelect read={read} onLine={chooseHeader} />
        </Group>
        {encoding !== null && !encoding.startsWith('UTF-') && (
          <Alert color="yellow" icon={<IconInfoCircle />} title={t`Encoding: ${encoding}`}>
            <Trans>
              The file is not in UTF-8. Check in the next step that letters such as ä and é are right. If not, save it
              as “CSV UTF-8” and choose it again.
            </Trans>
          </Alert>
        )}
        <LeftOutRows read={read} choices={shown} onChange={(part) => void change({ ...choices.current, ...part })} />
        <ColumnChoices kind={kind} read={read} onChoose={chooseColumn} />
        <IgnoredColumns headers={read.ignored} />
        {read.problemCount > 0 ? <FileProblems read={read} /> : <Sending kind={kind} name={name} read={read} />}
      </Stack>
    </Paper>
  );
}

/** Chooses the sheet of a workbook that has several. */
function SheetSelect({
  source: { sheet = '', otherSheets = [] },
  onSheet,
}: Pick<UnderstoodFileProps, 'source' | 'onSheet'>) {
  if (otherSheets.length === 0) return null;
  return (
    <NativeSelect
      label={t`Sheet`}
      description={t`One sheet is imported at a time.`}
      data={[sheet, ...otherSheets]}
      value={sheet}
      onChange={({ currentTarget: { value } }) => onSheet(value)}
    />
  );
}

/** Chooses the row with the names of the columns. */
function HeaderSelect({ read: { firstRows, headerLine }, onLine }: { read: ReadFile; onLine: (line: number) => void }) {
  if (firstRows.length < 2) return null;
  return (
    <NativeSelect
      label={t`Names of the columns`}
      description={t`The rows below them are imported.`}
      style={{ maxWidth: '100%' }}
      data={firstRows.map(({ line, text }) => ({ value: String(line), label: t`Line ${numberText(line)}: ${text}` }))}
      value={String(headerLine)}
      onChange={({ currentTarget: { value } }) => onLine(Number(value))}
    />
  );
}

function FileProblems({ read }: { read: ReadFile }) {
  const more = read.problemCount - read.problems.length;
  return (
    <Alert role="alert" color="red" icon={<IconAlertCircle />} title={t`Correct the file and choose it again`}>
      <List size="sm">
        {read.problems.map(({ line, message }) => (
          <List.Item key={`${line} ${message}`}>
            <Trans>
              Line {numberText(line)}: <UserText>{message}</UserText>
            </Trans>
          </List.Item>
        ))}
      </List>
      {more > 0 && (
        <Text size="sm">
          <Trans>And {numberText(more)} more.</Trans>
        </Text>
      )}
    </Alert>
  );
}
