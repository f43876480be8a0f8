import { t } from '@lingui/core/macro';
import { NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { formats } from '../../ui/formats.js';
import { Pager } from '../../ui/pager.js';
import { ProblemState } from '../../ui/problem-state.js';
import { AuditedName, OutcomeBadge } from './audit-item.js';
import type { Audit } from './words.js';

type Difference = Outputs['audits']['compare']['data'][number];

const chooseText = t`Compare with an earlier audit of this location`;

const othersMax = 50;
const pageSize = 100;

const columns: Column<Difference>[] = [
  { id: 'name', header: t`Asset or tag`, cell: (row) => <AuditedName item={row} /> },
  { id: 'before', header: t`Then`, cell: (row) => <OutcomeBadge outcome={row.before} /> },
  { id: 'after', header: t`In this audit`, cell: (row) => <OutcomeBadge outcome={row.after} /> },
];

/** What differs between an audit and an earlier one of the same location. */
export function AuditComparison({ audit }: { audit: Audit }) {
  const trpc = useTRPC();
  const [earlierId, setEarlier] = useState('');
  const [offset, setOffset] = useState(0);
  const others = useQuery(
    trpc.audits.list.queryOptions({
      location_id: audit.location.id,
      including_sublocations: false,
      until: audit.saved_at,
      limit: othersMax,
    }),
  );
  const differences = useQuery(
    trpc.audits.compare.queryOptions(
      { audit_id: audit.id, earlier_audit_id: earlierId, limit: pageSize, offset },
      { enabled: earlierId !== '' },
    ),
  );
  const earlier = (others.data?.data ?? []).filter(({ id }) => id !== audit.id);
  return (
    <Stack component="section" aria-labelledby="audit-comparison">
      <Title order={2} size="h4" id="audit-comparison">
        {t`Compare`}
      </Title>
      {others.data && earlier.length === 0 ? (
        <Text c="dimmed">{t`There is no earlier audit of this location.`}</Text>
      ) : (
        <NativeSelect
          label={chooseText}
          maw={420}
          data={[
            { value: '', label: t`No comparison` },
            ...earlier.map(({ id, saved_at }) => ({
              value: id,
              label: formats().dateTime.format(Date.parse(saved_at)),
            })),
          ]}
          value={earlierId}
          onChange={(event) => {
            setEarlier(event.currentTarget.value);
            setOffset(0);
          }}
        />
      )}
      {differences.error && <ProblemState error={differences.error} onRetry={() => void differences.refetch()} />}
      {earlierId !== '' && !differences.error && (
        <DataTable
          caption={chooseText}
          columns={columns}
          rows={differences.data?.data}
          rowId={({ asset, name }) => (asset ? `a${asset.id}` : `v${name}`)}
          empty={t`Nothing has changed between the two audits.`}
        />
      )}
      {differences.data && differences.data.total_count > pageSize && (
        <Pager limit={pageSize} offset={offset} total={differences.data.total_count} unit="change" onPage={setOffset} />
      )}
    </Stack>
  );
}
