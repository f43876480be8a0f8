import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload, IconMoodCheck, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { type Api, type Outputs, useTRPC, useTRPCClient } from '../../api/trpc.js';
import { byteOrderMark, csvLine, shieldCell } from '../../csv/cells.js';
import { saveFile } from '../../exports/collect-export.js';
import { type ColumnDef, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Pager } from '../../ui/pager.js';
import { ProblemState } from '../../ui/problem-state.js';
import { UserText } from '../../ui/user-text.js';
import { problemText } from './problem-text.js';

type ImportState = Outputs['imports']['get'];

type Row = Outputs['imports']['problems']['data'][number];

const columns: ColumnDef<Row>[] = [
  { id: 'line', header: t`Line`, cell: ({ row }) => numberText(row.original.line), meta: { width: '6rem' } },
  { id: 'column', header: t`Column`, cell: ({ row }) => row.original.column, meta: { width: '12rem' } },
  { id: 'message', header: t`Problem`, cell: ({ row }) => <UserText>{problemText(row.original)}</UserText> },
];

/** The problems of the file by line, shown here or downloaded. */
export function ProblemList({ state }: { state: ImportState }) {
  const trpc = useTRPC();
  const [offset, setOffset] = useState(0);
  const [limit, setLimit] = useState(50);
  const [column, setColumn] = useState('');
  const [q, setQ] = useState('');
  const [asked] = useDebouncedValue(q.trim(), 200);
  const input = {
    import_id: state.id,
    limit,
    offset,
    ...(column === '' ? {} : { column }),
    ...(asked === '' ? {} : { q: asked }),
  };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...trpc.imports.problems.queryOptions(input),
    placeholderData: keepPreviousData,
  });

  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Title order={2} size="h4">{t`Problems`}</Title>
        <SaveProblems state={state} />
      </Group>
      <Group gap="sm" align="flex-end">
        <TextInput
          label={t`Search`}
          leftSection={<IconSearch size={16} aria-hidden />}
          placeholder={t`Line number, key or tag`}
          value={q}
          maxLength={255}
          onChange={(event) => {
            setQ(event.currentTarget.value);
            setOffset(0);
          }}
        />
        <NativeSelect
          label={t`Column`}
          data={[{ value: '', label: t`All columns` }, ...state.columns]}
          value={column}
          onChange={(event) => {
            setColumn(event.currentTarget.value);
            setOffset(0);
          }}
        />
      </Group>
      {error && !data ? (
        <ProblemState error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          caption={t`Problems`}
          columns={columns}
          rows={data?.data}
          rowId={({ place }) => String(place)}
          isStale={isPlaceholderData}
          empty={<EmptyState icon={IconMoodCheck} title={t`No matching problems`} />}
        />
      )}
      {data && (
        <Pager
          limit={limit}
          offset={offset}
          total={data.total_count}
          unit="problem"
          onPage={setOffset}
          onLimit={setLimit}
        />
      )}
    </Stack>
  );
}

function SaveProblems({ state }: { state: ImportState }) {
  const api = useTRPCClient();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function save(): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      saveFile(new Blob(await problemLines(api, state.id), { type: 'text/csv' }), `problems-of-${state.kind}.csv`);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Stack gap="xs" align="flex-end">
      <Button
        variant="default"
        loading={isBusy}
        leftSection={<IconDownload size={18} aria-hidden />}
        onClick={() => void save()}
      >
        <Trans>Download as CSV</Trans>
      </Button>
      <FormProblem problem={problem} />
      {(state.problem_count ?? 0) > keptMax && (
        <Text size="sm" c="dimmed">
          <Trans>The first {numberText(keptMax)} are listed.</Trans>
        </Text>
      )}
    </Stack>
  );
}

/** So many the service keeps. */
const keptMax = 20_000;

async function problemLines(api: Api, importId: string): Promise<string[]> {
  const parts = [byteOrderMark, csvLine(['line', 'column', 'problem'])];
  for (let offset = 0; ; ) {
    const page = await api.imports.problems.query({ import_id: importId, limit: 1000, offset });
    parts.push(
      ...page.data.map(({ line, column, message }) =>
        csvLine([String(line), column, shieldCell(problemText({ column, message }))]),
      ),
    );
    offset += page.data.length;
    if (page.data.length === 0 || offset >= page.total_count) return parts;
  }
}
