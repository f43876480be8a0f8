import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, List, Paper, Progress, Radio, Stack, Text, Title } from '@mantine/core';
import { IconAlertCircle, IconInfoCircle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { useTRPCClient } from '../../api/trpc.js';
import type { FileKind } from '../../csv/columns.js';
import {
  dateColumns,
  type DateOrder,
  needsOrder,
  orderOf,
  timestampOf,
  usualOrder,
  withTimestamps,
} from '../../csv/dates.js';
import { decodeFile, type Encoding } from '../../csv/decode.js';
import { isArchive } from '../../csv/archive.js';
import { type Choices, readFile, type ReadFile, readTable } from '../../csv/read-file.js';
import { formats } from '../../ui/formats.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import { ColumnChoices } from './column-choices.js';
import { DropArea, type Given } from './drop-area.js';
import { IgnoredColumns } from './ignored-columns.js';
import { RowTooLong, sendFile } from './send-file.js';

/** A file that was read; the encoding is null for a workbook. `readWith` reads it again, with other columns. */
type Understood = {
  name: string;
  encoding: Encoding | null;
  /** The sheet of a workbook that is read. */
  sheet?: string;
  /** Sheets of a workbook that are not read. */
  otherSheets?: readonly string[];
  read: ReadFile;
  readWith: (choices: Choices) => Promise<ReadFile>;
};

/** Chooses a file, shows its contents, and sends it to be checked. */
export function FileStep({ kind }: { kind: FileKind }) {
  const [file, setFile] = useState<Understood | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);

  async function take({ name, bytes }: Given): Promise<void> {
    setFile(null);
    setRefusal(null);
    setReading(true);
    try {
      const understood = isArchive(bytes) ? await workbookOf(bytes, kind) : await textOf(bytes, kind);
      if ('problem' in understood) setRefusal(understood.problem);
      else setFile({ name, ...understood });
    } finally {
      setReading(false);
    }
  }

  return (
    <Stack gap="md">
      <DropArea onGiven={(given) => void take(given)} onProblem={setRefusal} />
      {isReading && <Progress value={100} animated aria-label={t`Reading the file`} />}
      {refusal !== null && (
        <Alert role="alert" color="red" icon={<IconAlertCircle />} title={t`This file can't be read`}>
          {refusal}
        </Alert>
      )}
      {file && <UnderstoodFile key={file.name} kind={kind} file={file} />}
    </Stack>
  );
}

type Read = Omit<Understood, 'name'> | { problem: string };

async function textOf(bytes: Uint8Array, kind: FileKind): Promise<Read> {
  const decoded = decodeFile(bytes);
  if ('problem' in decoded) return decoded;
  const readWith = (choices?: Choices) => readFile(decoded.text, kind, choices);
  return { encoding: decoded.encoding, read: await readWith(), readWith };
}

/** Reads an Excel workbook; its library is loaded when it is needed. */
async function workbookOf(bytes: Uint8Array, kind: FileKind): Promise<Read> {
  const { readWorkbook, WorkbookError } = await import('../../csv/workbook.js');
  try {
    const { name: sheet, records, others } = await readWorkbook(bytes);
    const readWith = (choices?: Choices) => readTable({ delimiter: null, records }, kind, choices);
    return { encoding: null, sheet, otherSheets: others, read: await readWith(), readWith };
  } catch (error) {
    if (error instanceof WorkbookError) return { problem: error.message };
    throw error;
  }
}

const rowTexts = {
  ',': (rows: string) => t`${rows}, separated by commas`,
  ';': (rows: string) => t`${rows}, separated by semicolons`,
  '\t': (rows: string) => t`${rows}, separated by tabs`,
  '|': (rows: string) => t`${rows}, separated by vertical bars`,
} as const;

function UnderstoodFile({ kind, file }: { kind: FileKind; file: Understood }) {
  const { name, encoding, sheet = '', otherSheets = [], readWith } = file;
  const [read, setRead] = useState(file.read);
  const choices = useRef<Choices>(new Map());

  async function choose(index: number, column: string | null): Promise<void> {
    const chosen = new Map(choices.current).set(index, column);
    choices.current = chosen;
    const next = await readWith(chosen);
    // If a later choice has been made meanwhile, this result is dropped.
    if (choices.current === chosen) setRead(next);
  }

  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h4">
          <UserText>{name}</UserText>
        </Title>
        <Text size="sm" c="dimmed">
          {read.delimiter === null
            ? quantity(read.rows.length, 'row')
            : rowTexts[read.delimiter](quantity(read.rows.length, 'row'))}
        </Text>
        {otherSheets.length > 0 && (
          <Alert color="yellow" icon={<IconInfoCircle />} title={t`Only the sheet ${sheet} is imported`}>
            <Trans>
              Not imported: <UserText>{otherSheets.join(', ')}</UserText>
            </Trans>
          </Alert>
        )}
        {encoding !== null && !encoding.startsWith('UTF-') && (
          <Alert color="yellow" icon={<IconInfoCircle />} title={t`Encoding: ${encoding}`}>
            <Trans>
              The file is not in UTF-8. Check in the next step that letters such as ä and é are right. If not, save it
              as “CSV UTF-8” and choose it again.
            </Trans>
          </Alert>
        )}
        <ColumnChoices kind={kind} meanings={read.meanings} onChoose={(index, column) => void choose(index, column)} />
        <IgnoredColumns headers={read.ignored} />
        {read.problemCount > 0 ? <FileProblems read={read} /> : <Sending kind={kind} name={name} read={read} />}
      </Stack>
    </Paper>
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

/** If dates are ambiguous, asks how they are meant, then sends the rows with timestamps instead. */
function Sending({ kind, name, read }: { kind: FileKind; name: string; read: ReadFile }) {
  const cells = useMemo(() => openDatesOf(read), [read]);
  const [order, setOrder] = useState<DateOrder>(() => orderOf(cells) ?? usualOrder(formats().locale));
  const dated = useMemo(
    () => ({ ...read, rows: withTimestamps(read.rows, { columns: read.columns, order }) }),
    [read, order],
  );
  return (
    <>
      {cells[0] !== undefined && <DateChoice example={cells[0]} order={order} onChange={setOrder} />}
      <SendButton kind={kind} name={name} read={dated} />
    </>
  );
}

/** Returns the ambiguous dates of a file. */
function openDatesOf({ columns, rows }: ReadFile): string[] {
  const indexes = columns.flatMap((column, index) => (dateColumns.includes(column) ? [index] : []));
  return rows.flatMap(({ cells }) => indexes.map((index) => cells[index] ?? '').filter(needsOrder));
}

type DateChoiceProps = { example: string; order: DateOrder; onChange: (order: DateOrder) => void };

function DateChoice({ example, order, onChange }: DateChoiceProps) {
  const read = timestampOf(example, { order, isEnd: false });
  const isRead = read !== example;
  return (
    <Radio.Group
      label={t`Dates such as ${example} are`}
      description={isRead ? t`Read as ${formats().date.format(Date.parse(read))}` : t`Not a date in this order`}
      value={order}
      onChange={(value) => onChange(value === 'month-first' ? 'month-first' : 'day-first')}
    >
      <Group mt="xs">
        <Radio value="day-first" label={t`Day/month/year`} />
        <Radio value="month-first" label={t`Month/day/year`} />
      </Group>
    </Radio.Group>
  );
}

/** Sends the rows; then the service works in the background, and another page shows the import. */
function SendButton({ kind, name, read }: { kind: FileKind; name: string; read: ReadFile }) {
  const api = useTRPCClient();
  const navigate = useNavigate();
  const [sent, setSent] = useState<number | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const work = useRef<AbortController | null>(null);
  const unit = kind === 'assets' ? 'asset' : 'location';
  useEffect(() => () => work.current?.abort(), []);

  async function send(): Promise<void> {
    const controller = new AbortController();
    work.current = controller;
    setProblem(null);
    setSent(0);
    try {
      const id = await sendFile(api, { kind, name, read }, { onRows: setSent, signal: controller.signal });
      await navigate({ to: '/import/$importId', params: { importId: id } });
    } catch (error) {
      if (controller.signal.aborted) return;
      const known = problemOf(error);
      setProblem(
        error instanceof RowTooLong ? { ...known, title: t`This file cannot be sent`, detail: error.message } : known,
      );
      setSent(null);
    }
  }

  return (
    <>
      <FormProblem problem={problem} />
      {sent === null ? (
        <Group>
          <Button onClick={() => void send()}>
            <Trans>Check {quantity(read.rows.length, unit)}</Trans>
          </Button>
        </Group>
      ) : (
        <Stack gap="xs">
          <Progress value={(sent / read.rows.length) * 100} aria-label={t`Sending the file`} />
          <Text size="sm" c="dimmed" aria-live="polite">
            <Trans>
              {numberText(sent)} of {quantity(read.rows.length, 'row')} sent. Keep this page open until all rows are
              sent.
            </Trans>
          </Text>
        </Stack>
      )}
    </>
  );
}
