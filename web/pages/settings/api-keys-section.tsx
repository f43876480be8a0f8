import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ButtonLink } from '../../ui/links.js';
import { ListTable } from '../../ui/list-table.js';
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
    <ButtonLink to="/settings/api-keys/new" leftSection={<IconPlus size={18} aria-hidden />}>{t`New key`}</ButtonLink>
  );
}

function KeyList() {
  const trpc = useTRPC();
  const [offset, setOffset] = useState(0);
  const keys = useQuery(
    trpc.apiKeys.list.queryOptions({ limit: apiKeysPageSize, offset }, { placeholderData: (before) => before }),
  );
  return (
    <ListTable
      query={keys}
      caption={t`API keys`}
      columns={apiKeyColumns}
      rowId={({ id }) => id}
      expectedRows={3}
      empty={
        <EmptyState icon={IconKey} title={t`No keys yet`}>
          <Trans>Create one key for each system, with only the scopes it needs.</Trans>
        </EmptyState>
      }
      paging={{ limit: apiKeysPageSize, offset, unit: 'key', onPage: setOffset }}
    />
  );
}
