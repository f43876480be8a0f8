import { Trans } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { RequireRole } from '../../session/require-role.js';
import { DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ButtonLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { ProblemState } from '../../ui/problem-state.js';
import { apiKeyColumns } from './api-key-columns.js';
import { FormerCreators } from './former-creators.js';

const pageSize = 50;

/** The keys that other systems call with. */
export function ApiKeysPage() {
  return (
    <Page
      title={t`API keys`}
      description={t`Other systems use API keys to read and write data. A key belongs to the organization, not to a person.`}
      actions={<NewKeyButton />}
    >
      <RequireRole needs="admin">
        <Stack>
          <FormerCreators />
          <KeyList />
        </Stack>
      </RequireRole>
    </Page>
  );
}

function NewKeyButton() {
  return (
    <ButtonLink to="/account/api-keys/new" leftSection={<IconPlus size={18} aria-hidden />} aria-keyshortcuts="n">
      <Trans>New key</Trans>
    </ButtonLink>
  );
}

function KeyList() {
  const trpc = useTRPC();
  const [offset, setOffset] = useState(0);
  const keys = useQuery(
    trpc.apiKeys.list.queryOptions({ limit: pageSize, offset }, { placeholderData: (before) => before }),
  );
  if (keys.error) return <ProblemState error={keys.error} onRetry={() => void keys.refetch()} />;
  return (
    <Stack>
      <DataTable
        caption={t`API keys`}
        columns={apiKeyColumns}
        rows={keys.data?.data}
        rowId={({ id }) => id}
        expectedRows={3}
        isStale={keys.isPlaceholderData}
        empty={
          <EmptyState icon={IconKey} title={t`No keys yet`} action={<NewKeyButton />}>
            <Trans>Create one key for each system, with only the scopes it needs.</Trans>
          </EmptyState>
        }
      />
      {keys.data && keys.data.total_count > pageSize && (
        <Pager limit={pageSize} offset={offset} total={keys.data.total_count} unit="key" onPage={setOffset} />
      )}
    </Stack>
  );
}
