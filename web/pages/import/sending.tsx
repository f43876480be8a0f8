import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Progress, Radio, Stack, Text } from '@mantine/core';
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
import type { ReadFile } from '../../csv/read-file.js';
import { formats } from '../../ui/formats.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { RowTooLong, sendFile } from './send-file.js';

/** If dates are ambiguous, asks how they are meant, then sends the rows with timestamps instead. */
export function Sending({ kind, name, read }: { kind: FileKind; name: string; read: ReadFile }) {
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
