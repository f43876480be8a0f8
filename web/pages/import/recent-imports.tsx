import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Title } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import type { Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { AnchorLink } from '../../ui/links.js';
import { ListTable } from '../../ui/list-table.js';
import { quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { StatusBadge } from './status-badge.js';

type Row = Outputs['imports']['list']['data'][number];

const columns: Column<Row>[] = [
  {
    id: 'file_name',
    header: t`File`,
    cell: (row) => (
      <AnchorLink to="/import/$importId" params={{ importId: row.id }}>
        <UserText>{row.file_name}</UserText>
      </AnchorLink>
    ),
  },
  {
    id: 'kind',
    header: t`Content`,
    cell: (row) => quantity(row.row_count, row.kind === 'assets' ? 'asset' : 'location'),
  },
  { id: 'status', header: t`Status`, cell: (row) => <StatusBadge status={row.status} /> },
  { id: 'created_at', header: t`Sent`, cell: (row) => <When at={row.created_at} />, hideBelow: 'sm' },
];

/** The organization's imports of the last week, each with a link. */
export function RecentImports() {
  const trpc = useTRPC();
  const imports = useQuery(trpc.imports.list.queryOptions({ limit: 20 }));
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">{t`Imports of the last 7 days`}</Title>
      <ListTable
        query={imports}
        caption={t`Imports`}
        columns={columns}
        rowId={({ id }) => id}
        expectedRows={3}
        empty={
          <EmptyState icon={IconFileImport} title={t`No imports yet`}>
            <Trans>Choose a file above, or start with the template.</Trans>
          </EmptyState>
        }
      />
    </Stack>
  );
}
