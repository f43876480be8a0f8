import { useServer } from '../../api/use-server.js';
import { ListTable } from '../../ui/list-table.js';
import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Group, NativeSelect, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { allRows, CsvButton } from '../../reports/csv-button.js';
import type { Column } from '../../ui/data-table.js';
import { ButtonLink } from '../../ui/links.js';
import { isMissing, MissingPage } from '../../ui/missing-page.js';
import { BackLink, Page } from '../../ui/page.js';
import { Unanswered } from '../../ui/problem-state.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { LocationCell } from '../reports/location-cell.js';
import { AuditComparison } from './audit-comparison.js';
import { AuditedName, OutcomeBadge } from './audit-item.js';
import { type Audit, type AuditItem, type Outcome, outcomes } from './words.js';
import { lowerCase } from '../../ui/lower-case.js';

const route = getRouteApi('/app/audits/$auditId');

const titleOf = (location: string) => t`Audit of ${location}`;
const itemsTitle = t`Assets and tags`;

const pageSize = 100;
const exportPageSize = 1000;

const columns: Column<AuditItem>[] = [
  { id: 'name', header: t`Asset or tag`, cell: (row) => <AuditedName item={row} /> },
  { id: 'outcome', header: t`Outcome`, cell: (row) => <OutcomeBadge outcome={row.outcome} /> },
  { id: 'key', header: t`Key`, hideBelow: 'md', cell: (row) => <UserText>{row.asset?.external_key ?? ''}</UserText> },
  {
    id: 'last',
    header: t`Last location before the audit`,
    hideBelow: 'sm',
    cell: (row) => (row.asset ? <LocationCell location={row.last_location} /> : ''),
  },
  {
    id: 'seen',
    header: t`Last seen before`,
    hideBelow: 'md',
    cell: (row) => (row.asset ? <When at={row.last_seen_at} /> : ''),
  },
];

/** One saved audit: what was found, and what has changed since another audit of the location. */
export function AuditPage() {
  const { auditId } = route.useParams();
  const trpc = useTRPC();
  const audit = useQuery(trpc.audits.get.queryOptions({ audit_id: auditId }));
  const back = <BackLink to="/audits">{t`Audits`}</BackLink>;
  if (audit.error && isMissing(audit.error)) {
    return <MissingPage kind="audit" list={<ButtonLink to="/audits">{t`All audits`}</ButtonLink>} />;
  }
  if (!audit.data) {
    return (
      <Page title={t`Audit`} back={back}>
        <Unanswered query={audit} height={240} />
      </Page>
    );
  }
  const { location, started_at, saved_at, saved_by } = audit.data;
  return (
    <Page
      title={titleOf(location.name)}
      back={back}
      description={
        <>
          <Trans>
            Started <When at={started_at} />, saved <When at={saved_at} /> by {saved_by ?? t`a former member`} at{' '}
            <LocationCell location={location} />
          </Trans>
        </>
      }
    >
      <Group gap="xs">
        {outcomes.map(({ name, label, color }) => (
          <Badge key={name} size="lg" color={color} variant="light" data-testid={`audit-${name}`}>
            {numberText(audit.data[name])} {lowerCase(label)}
          </Badge>
        ))}
      </Group>
      <Items audit={audit.data} />
      <AuditComparison audit={audit.data} />
    </Page>
  );
}

function Items({ audit: { id, location } }: { audit: Audit }) {
  const { trpc, api } = useServer();
  const [outcome, setOutcome] = useState<Outcome | ''>('');
  const [offset, setOffset] = useState(0);
  const input = { audit_id: id, ...(outcome !== '' && { outcome }) };
  const items = useQuery(
    trpc.audits.items.queryOptions({ ...input, limit: pageSize, offset }, { placeholderData: (before) => before }),
  );

  async function table() {
    const rows = await allRows((from) => api.audits.items.query({ audit_id: id, limit: exportPageSize, offset: from }));
    return {
      columns: ['outcome', 'name', 'asset_key', 'last_location', 'last_seen_at'],
      rows: rows.map((row) => [
        row.outcome,
        row.name,
        row.asset?.external_key ?? null,
        row.last_location?.name ?? null,
        row.last_seen_at,
      ]),
    };
  }

  return (
    <Stack component="section" aria-labelledby="audit-items">
      <Group justify="space-between" align="flex-end">
        <Title order={2} size="h4" id="audit-items">
          {itemsTitle}
        </Title>
        <Group align="flex-end" gap="xs">
          <NativeSelect
            size="xs"
            aria-label={t`Show`}
            data={[
              { value: '', label: t`All outcomes` },
              ...outcomes.map(({ name, label }) => ({ value: name, label })),
            ]}
            value={outcome}
            onChange={(event) => {
              setOutcome(event.currentTarget.value as Outcome | '');
              setOffset(0);
            }}
          />
          <CsvButton name={`audit-${location.external_key}`} table={table} />
        </Group>
      </Group>
      <ListTable
        query={items}
        caption={itemsTitle}
        columns={columns}
        rowId={({ position }) => String(position)}
        empty={t`The audit has no such assets or tags.`}
        paging={{ limit: pageSize, offset, unit: 'row', onPage: setOffset }}
      />
    </Stack>
  );
}
