import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, useTRPC } from '../api/trpc.js';
import { type Column, DataTable } from '../ui/data-table.js';
import { AnchorLink } from '../ui/links.js';
import { Pager } from '../ui/pager.js';
import { UserText } from '../ui/user-text.js';
import { When } from '../ui/when.js';
import { endTexts } from './end-texts.js';

type Past = Outputs['containers']['past']['data'][number];

const pageSize = 10;

const columns: Column<Past>[] = [
  { id: 'container', header: t`Container`, cell: (row) => <Container container={row.container} /> },
  {
    id: 'since',
    header: t`Put in`,
    cell: (row) => (
      <>
        <When at={row.since} />
        <By text={row.put_in_by?.name} />
      </>
    ),
  },
  {
    id: 'until',
    header: t`Taken out`,
    cell: (row) => (
      <>
        <When at={row.until} never={t`Still in it`} />
        <By text={row.taken_out_by?.name ?? (row.ended_by ? endTexts[row.ended_by] : undefined)} />
      </>
    ),
  },
];

function Container({ container: { id, name, is_deleted: isDeleted } }: Pick<Past, 'container'>) {
  if (isDeleted) return <UserText>{name}</UserText>;
  return (
    <AnchorLink to="/assets/$assetId" params={{ assetId: String(id) }}>
      <UserText>{name}</UserText>
    </AnchorLink>
  );
}

function By({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <Text size="xs" c="dimmed" component="div">
      <UserText>{text}</UserText>
    </Text>
  );
}

/** The containers that an asset has been in, behind a button; renders nothing if there are none. */
export function EarlierContainers({ assetId }: { assetId: number }) {
  const trpc = useTRPC();
  const [isOpen, setOpen] = useState(false);
  const [offset, setOffset] = useState(0);
  const found = useQuery(
    trpc.containers.past.queryOptions(
      { asset_id: assetId, limit: pageSize, offset },
      { placeholderData: keepPreviousData },
    ),
  );
  const total = found.data?.total_count ?? 0;
  if (total === 0) return null;
  return (
    <>
      <Group>
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          leftSection={<IconHistory size={16} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {t`Earlier containers`}
        </Button>
      </Group>
      {isOpen && (
        <DataTable
          caption={t`Earlier containers`}
          columns={columns}
          rows={found.data?.data}
          rowId={({ id }) => String(id)}
          isStale={found.isPlaceholderData}
          isBoxed
          empty={null}
        />
      )}
      {isOpen && total > pageSize && (
        <Pager limit={pageSize} offset={offset} total={total} unit="row" onPage={setOffset} />
      )}
    </>
  );
}
