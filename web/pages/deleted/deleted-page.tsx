import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actorName, entryPointNames, kindNames } from '../../activity/words.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { RequireRole } from '../../session/require-role.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';
import { ProblemState } from '../../ui/problem-state.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { type DeletedItem, RestoreButton } from './restore-button.js';
import { RestoreSelected } from './restore-selected.js';

const pageSize = 50;

/** The assets and locations that were deleted in the last 30 days: one or several at once can be restored. */
export function DeletedPage() {
  return (
    <Page title={t`Deleted`} description={t`Assets and locations that can be restored, for 30 days`}>
      <RequireRole needs="manager">
        <DeletedItems />
      </RequireRole>
    </Page>
  );
}

function DeletedItems() {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const found = useInfiniteQuery({
    queryKey: [...trpc.trash.list.queryKey(), 'pages'],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.trash.list.query({ limit: pageSize, ...(cursor !== undefined && { cursor }) }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  if (found.error && !found.data) return <ProblemState error={found.error} onRetry={() => void found.refetch()} />;
  const items = found.data?.pages.flatMap(({ data }) => data);
  return (
    <Stack>
      <DataTable
        caption={t`Deleted`}
        columns={deletedColumns}
        rows={items}
        rowId={rowId}
        selection={selection}
        onSelect={setSelection}
        empty={
          <EmptyState icon={IconTrash} title={t`Nothing was deleted`}>
            {t`Assets and locations that are deleted appear here for 30 days.`}
          </EmptyState>
        }
      />
      {found.hasNextPage && (
        <Group>
          <Button variant="default" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            <Trans>Earlier deletions</Trans>
          </Button>
        </Group>
      )}
      <RestoreSelected
        items={items?.filter((item) => selection.has(rowId(item))) ?? []}
        onClear={() => setSelection(new Set())}
      />
    </Stack>
  );
}

function rowId({ kind, id }: DeletedItem): string {
  return `${kind}-${id}`;
}

const deletedColumns: Column<DeletedItem>[] = [
  {
    id: 'object',
    header: t`Object`,
    cell: (row) => (
      <>
        <UserText>{row.name}</UserText>
        <Text size="xs" c="dimmed">
          {kindNames[row.kind]} · {row.external_key}
        </Text>
      </>
    ),
  },
  { id: 'when', header: t`When`, width: '9rem', hideBelow: 'xs', cell: (row) => <When at={row.deleted_at} /> },
  { id: 'who', header: t`Deleted by`, hideBelow: 'sm', cell: (row) => <DeletedBy item={row} /> },
  {
    id: 'restore',
    header: () => <VisuallyHidden>{t`Restore`}</VisuallyHidden>,
    align: 'end',
    width: '9rem',
    cell: (row) => <RestoreButton item={row} />,
  },
];

function DeletedBy({ item: { actor, entry_point: entryPoint } }: { item: DeletedItem }) {
  if (entryPoint === null) return null;
  return (
    <>
      <UserText>{actorName({ actor, entry_point: entryPoint })}</UserText>
      {actor && (
        <Text size="xs" c="dimmed">
          {entryPointNames[entryPoint]}
        </Text>
      )}
    </>
  );
}
