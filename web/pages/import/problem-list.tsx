import { useMutation } from '@tanstack/react-query';
import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload, IconMoodCheck, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { FormProblem } from '../../api/server-form.js';
import { type Api, type Outputs, useTRPCClient } from '../../api/trpc.js';
import { byteOrderMark, csvLine, shieldCell } from '../../csv/cells.js';
import { columnLabel } from '../../csv/columns.js';
import { saveFile } from '../../exports/collect-export.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Pager } from '../../ui/pager.js';
import { ProblemState } from '../../ui/problem-state.js';
import { UserText } from '../../ui/user-text.js';
import { loadProblems, type RowProblem } from './problem-search.js';
import { problemText } from './problem-text.js';
import { useProblems } from './use-problems.js';

type ImportState = Outputs['imports']['get'];

const columns: Column<RowProblem>[] = [
  { id: 'line', header: t`Line`, cell: (row) => numberText(row.line) },
  { id: 'column', header: t`Column`, cell: (row) => columnLabel(row.column) },
  {
    id: 'message',
    header: t`Problem`,
    cell: (row) => (
      <>
        {row.is_notice && (
          <Badge color="petrol" variant="light" mr="xs">
            {t`Note`}
          </Badge>
        )}
        {row.is_warning && (
          <Badge color="orange" mr="xs">
            {t`Warning`}
          </Badge>
        )}
        <UserText>{problemText(row)}</UserText>
        <Text size="xs" c="dimmed" component="div">
          <UserText>{rowText(row)}</UserText>
        </Text>
      </>
    ),
  },
];

/** Returns the name and the value that the row of a problem has; empty for a notice, which concerns several rows. */
function rowText({ is_notice: isNotice, column, name, value }: RowProblem): string {
  if (isNotice) return '';
  return [name, column === 'name' ? null : value].filter((text) => text !== null && text !== '').join(' · ');
}

/** The problems of the file by line, shown here or downloaded. */
export function ProblemList({ state }: { state: ImportState }) {
  const [offset, setOffset] = useState(0);
  const [limit, setLimit] = useState(50);
  const [column, setColumn] = useState('');
  const [q, setQ] = useState('');
  const [asked] = useDebouncedValue(q.trim(), 200);
  const { rows, total, isStale, error, retry } = useProblems(state.id, { column, q: asked, limit, offset });

  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Title order={2} size="h4">
          {state.problem_count || state.warning_count ? t`Problems` : t`What the import does besides`}
        </Title>
        <SaveProblems state={state} />
      </Group>
      <Group gap="sm" align="flex-end">
        <TextInput
          label={t`Search`}
          leftSection={<IconSearch size={16} aria-hidden />}
          placeholder={t`Line, key, tag or problem`}
          value={q}
          maxLength={255}
          onChange={(event) => {
            setQ(event.currentTarget.value);
            setOffset(0);
          }}
        />
        <NativeSelect
          label={t`Column`}
          data={[
            { value: '', label: t`All columns` },
            ...state.columns.map((name) => ({ value: name, label: columnLabel(name) })),
          ]}
          value={column}
          onChange={(event) => {
            setColumn(event.currentTarget.value);
            setOffset(0);
          }}
        />
      </Group>
      {error && !rows ? (
        <ProblemState error={error} onRetry={retry} />
      ) : (
        <DataTable
          caption={t`Problems`}
          columns={columns}
          rows={rows}
          rowId={({ place }) => String(place)}
          isStale={isStale}
          empty={<EmptyState icon={IconMoodCheck} title={t`No matching problems`} />}
        />
      )}
      {total !== undefined && (
        <Pager limit={limit} offset={offset} total={total} unit="item" onPage={setOffset} onLimit={setLimit} />
      )}
    </Stack>
  );
}

function SaveProblems({ state }: { state: ImportState }) {
  const api = useTRPCClient();

  const save = useMutation({
    mutationFn: async () => {
      saveFile(new Blob(await problemLines(api, state.id), { type: 'text/csv' }), `problems-of-${state.kind}.csv`);
    },
  });

  return (
    <Stack gap="xs" align="flex-end">
      <Button
        variant="default"
        loading={save.isPending}
        leftSection={<IconDownload size={18} aria-hidden />}
        onClick={() => save.mutate()}
      >
        <Trans>Download as CSV</Trans>
      </Button>
      <FormProblem error={save.error} />
      {(state.problem_count ?? 0) + (state.warning_count ?? 0) > keptMax && (
        <Text size="sm" c="dimmed">
          <Trans>The first {numberText(keptMax)} are listed.</Trans>
        </Text>
      )}
    </Stack>
  );
}

/** The most problems that the service keeps. */
const keptMax = 20_000;

async function problemLines(api: Api, importId: string): Promise<string[]> {
  const parts = [byteOrderMark, csvLine(['line', 'column', 'problem', 'name', 'value'])];
  for (const { line, column, name, value, ...problem } of await loadProblems(api, importId)) {
    const texts = [problemText({ column, ...problem }), name ?? '', value ?? ''].map(shieldCell);
    parts.push(csvLine([String(line), column, ...texts]));
  }
  return parts;
}
