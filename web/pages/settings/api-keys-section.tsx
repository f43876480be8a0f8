import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ButtonLink } from '../../ui/links.js';
import { Pager } from '../../ui/pager.js';
import { ProblemState } from '../../ui/problem-state.js';
import { Section } from '../../ui/section.js';
import { apiKeyColumns } from './api-key-columns.js';
import { FormerCreators } from './former-creators.js';

export const apiKeysPageSize = 50;

/** The API keys with which other systems call the service. */
export function ApiKeysSection() {
  return (
    <Section
      id="api-keys"
      title={t`API keys`}
      description={t`Other systems use API keys to read and write data. A key belongs to the organization, not to a person.`}
      action={<NewKeyButton />}
    >
      <FormerCreators />
      <KeyList />
    </Section>
  );
}

function NewKeyButton() {
  return (
    <ButtonLink to="/settings/api-keys/new" leftSection={<IconPlus size={18} aria-hidden />}>
      <Trans>New key</Trans>
    </ButtonLink>
  );
}

function KeyList() {
  const trpc = useTRPC();
  const [offset, setOffset] = useState(0);
  const keys = useQuery(
    trpc.apiKeys.list.queryOptions({ limit: apiKeysPageSize, offset }, { placeholderData: (before) => before }),
  );
  if (keys.error) return <ProblemState error={keys.error} onRetry={() => void keys.refetch()} />;
  return (
    <>
      <DataTable
        caption={t`API keys`}
        columns={apiKeyColumns}
        rows={keys.data?.data}
        rowId={({ id }) => id}
        expectedRows={3}
        isStale={keys.isPlaceholderData}
        empty={
          <EmptyState icon={IconKey} title={t`No keys yet`}>
            <Trans>Create one key for each system, with only the scopes it needs.</Trans>
          </EmptyState>
        }
      />
      {keys.data && keys.data.total_count > apiKeysPageSize && (
        <Pager limit={apiKeysPageSize} offset={offset} total={keys.data.total_count} unit="key" onPage={setOffset} />
      )}
    </>
  );
}
