import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { columnLabel } from '../../csv/columns.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { formats } from '../../ui/formats.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Pager } from '../../ui/pager.js';
import { ProblemState } from '../../ui/problem-state.js';
import { UserText } from '../../ui/user-text.js';

type Change = Outputs['imports']['changes']['data'][number];
type Field = Change['fields'][number];
type Row = Field & { key: string; line: number; name: string; external_key: string };

const columns: Column<Row>[] = [
  { id: 'line', header: t`Line`, cell: (row) => numberText(row.line), width: '5rem' },
  {
    id: 'name',
    header: t`Name`,
    cell: (row) => (
      <>
        <UserText>{row.name}</UserText>{' '}
        <Text size="xs" c="dimmed" component="span">
          <UserText>{row.external_key}</UserText>
        </Text>
      </>
    ),
  },
  { id: 'column', header: t`Column`, cell: (row) => columnLabel(row.column) },
  { id: 'before', header: t`Before`, cell: (row) => <Value field={row} text={row.before} /> },
  { id: 'after', header: t`After`, cell: (row) => <Value field={row} text={row.after} /> },
];

function Value({ field: { column }, text }: { field: Field; text: string | null }) {
  if (text === null) return <Text c="dimmed">–</Text>;
  const isInstant = column === 'valid_from' || column === 'valid_to';
  return <UserText>{isInstant ? formats().dateTime.format(Date.parse(text)) : text}</UserText>;
}

/** Rows on a page of the service. */
const pageSize = 20;

/** What a checked file would change, field by field, with the values before and after. */
export function ChangeList({ importId }: { importId: string }) {
  const trpc = useTRPC();
  const [offset, setOffset] = useState(0);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...trpc.imports.changes.queryOptions({ import_id: importId, limit: pageSize, offset }),
    placeholderData: keepPreviousData,
  });
  const rows = data?.data.flatMap(({ fields, ...change }) =>
    fields.map((field): Row => ({ ...change, ...field, key: `${change.line} ${field.column}` })),
  );
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">{t`Changes`}</Title>
      {error && !data ? (
        <ProblemState error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          caption={t`Changes`}
          columns={columns}
          rows={rows}
          rowId={({ key }) => key}
          isStale={isPlaceholderData}
          empty={<EmptyState icon={IconCircleCheck} title={t`No changes on this page`} />}
        />
      )}
      {data && data.total_count > pageSize && (
        <Pager limit={pageSize} offset={offset} total={data.total_count} unit="row" onPage={setOffset} />
      )}
    </Stack>
  );
}
