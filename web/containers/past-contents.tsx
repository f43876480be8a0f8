import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, useTRPC } from '../api/trpc.js';
import { InstantField } from '../time/instant-field.js';
import { instantText } from '../time/instant.js';
import type { Column } from '../ui/data-table.js';
import { AnchorLink } from '../ui/links.js';
import { PagedTable } from '../ui/paged-table.js';
import { ProblemState } from '../ui/problem-state.js';
import { UserText } from '../ui/user-text.js';
import { When } from '../ui/when.js';
import { endTexts } from './end-texts.js';
import type { NamedAsset } from './words.js';

type Earlier = Outputs['containers']['at']['data'][number];

const columns: Column<Earlier>[] = [
  {
    id: 'name',
    header: t`Asset`,
    cell: (row) => (
      <AnchorLink to="/assets/$assetId" params={{ assetId: String(row.id) }}>
        <UserText>{row.name}</UserText>
      </AnchorLink>
    ),
  },
  { id: 'since', header: t`Put in`, cell: (row) => <When at={row.since} /> },
  {
    id: 'until',
    header: t`Taken out`,
    cell: (row) => (
      <>
        <When at={row.until} never={t`Still in it`} />
        {row.ended_by && (
          <Text size="xs" c="dimmed" component="div">
            {endTexts[row.ended_by]}
          </Text>
        )}
      </>
    ),
  },
];

/** What was in a container at an instant that the person chooses. */
export function PastContents({ container }: { container: NamedAsset }) {
  const trpc = useTRPC();
  // The end of this second, since what was put in just now is in it.
  const [at, setAt] = useState(() => instantText(Math.ceil(Date.now() / 1000) * 1000));
  const found = useQuery(
    trpc.containers.at.queryOptions({ container_id: container.id, at }, { placeholderData: keepPreviousData }),
  );
  return (
    <>
      <InstantField key={at} label={t`Contents at`} at={at} onChange={setAt} />
      {found.error && !found.data ? (
        <ProblemState error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <PagedTable
          caption={t`Contents at this time`}
          columns={columns}
          rows={found.data?.data}
          rowId={({ id, since }) => `${id} ${since}`}
          expectedRows={3}
          isStale={found.isPlaceholderData}
          isBoxed
          unit="asset"
          empty={<Text c="dimmed">{t`Nothing was in it at this time.`}</Text>}
        />
      )}
    </>
  );
}
