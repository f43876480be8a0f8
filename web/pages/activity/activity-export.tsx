import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { fieldChanges } from '../../activity/field-changes.js';
import type { ActivityFilter } from '../../activity/use-activity.js';
import type { Entry } from '../../activity/entry.js';
import { actionNames, actorName, entryPointNames, kindNames } from '../../activity/words.js';
import { type Problem, problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { type Api, useTRPCClient } from '../../api/trpc.js';
import { byteOrderMark, csvLine, shieldCell } from '../../csv/cells.js';
import { saveFile } from '../../exports/collect-export.js';
import { quantity } from '../../ui/quantity.js';

const pageSize = 1000;
const columns = [
  'time',
  'object',
  'object_id',
  'name',
  'action',
  'changed_by',
  'entry_point',
  'field',
  'before',
  'after',
];

/** Saves the changes that match as a CSV file, with one line for each field that differs. */
export function ActivityExport({ filter }: { filter: ActivityFilter }) {
  const api = useTRPCClient();
  const [rows, setRows] = useState<number>();
  const [problem, setProblem] = useState<Problem>();
  const work = useRef<AbortController>(null);

  async function run(): Promise<void> {
    const controller = new AbortController();
    work.current = controller;
    setProblem(undefined);
    setRows(0);
    try {
      const parts = [byteOrderMark, csvLine(columns)];
      let count = 0;
      for await (const page of pagesOf(api, filter, controller.signal)) {
        parts.push(...page.map(linesOf));
        count += page.length;
        setRows(count);
      }
      saveFile(
        new Blob(parts, { type: 'text/csv;charset=utf-8' }),
        `activity-${new Date().toISOString().slice(0, 10)}.csv`,
      );
    } catch (error) {
      if (!controller.signal.aborted) setProblem(problemOf(error));
    } finally {
      setRows(undefined);
    }
  }

  const isRunning = rows !== undefined;
  return (
    <Group gap="xs">
      {problem && <FormProblem problem={problem} />}
      {isRunning && (
        <Text size="sm" aria-live="polite">
          <Trans>{quantity(rows, 'change')} so far</Trans>
        </Text>
      )}
      {isRunning ? (
        <Button variant="default" onClick={() => work.current?.abort()}>{t`Cancel export`}</Button>
      ) : (
        <Button variant="default" leftSection={<IconDownload size={18} aria-hidden />} onClick={() => void run()}>
          <Trans>Export</Trans>
        </Button>
      )}
    </Group>
  );
}

async function* pagesOf(api: Api, filter: ActivityFilter, signal: AbortSignal): AsyncGenerator<Entry[]> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const input = { ...filter, limit: pageSize, ...(cursor !== undefined && { cursor }) };
    const page: { data: Entry[]; next: string | null } = await api.activity.list.query(input, { signal });
    yield page.data;
    cursor = page.next;
  }
}

function linesOf(entry: Entry): string {
  const common = [
    entry.occurred_at,
    kindNames[entry.kind],
    entry.object_id,
    entry.object_name,
    actionNames[entry.action],
    actorName(entry),
    entryPointNames[entry.entry_point],
  ];
  const changes = fieldChanges(entry);
  const rest = changes.length === 0 ? [['', '', '']] : changes.map(({ name, before, after }) => [name, before, after]);
  return rest.map((cells) => csvLine([...common, ...cells].map((cell) => shieldCell(cell ?? '')))).join('');
}
