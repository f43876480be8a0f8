import { Badge, Group, Stack, Switch, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconBoxSeam, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { type ColumnDef, DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { AnchorLink } from '../../ui/links.js';
import { Pager } from '../../ui/pager.js';
import { ProblemState } from '../../ui/problem-state.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import type { LocationSearch } from './search.js';
import { useLiveRefresh } from './use-live-refresh.js';

type Content = Outputs['locations']['contents']['data'][number];

const pageSize = 25;
const pauseMs = 200;

const route = getRouteApi('/app/locations/$locationId');

const ownColumns: ColumnDef<Content>[] = [
  {
    id: 'name',
    header: 'Asset',
    cell: ({ row: { original } }) => (
      <Group gap="xs" wrap="nowrap">
        <AnchorLink to="/assets/$assetId" params={{ assetId: String(original.id) }} fw={550}>
          <UserText>{original.name}</UserText>
        </AnchorLink>
        {!original.is_active && <Badge color="gray">Inactive</Badge>}
      </Group>
    ),
  },
  {
    id: 'external_key',
    header: 'Key',
    meta: { hideBelow: 'md' },
    cell: ({ row: { original } }) => <UserText>{original.external_key}</UserText>,
  },
];

const placeColumn: ColumnDef<Content> = {
  id: 'location',
  header: 'Location',
  cell: ({ row: { original } }) => <Place content={original} />,
};

const timeColumns: ColumnDef<Content>[] = [
  {
    id: 'located_since',
    header: 'Here since',
    meta: { hideBelow: 'sm' },
    cell: ({ row: { original } }) => <When at={original.located_since} />,
  },
  { id: 'last_seen', header: 'Last seen', cell: ({ row: { original } }) => <When at={original.asset_last_seen} /> },
];

/** A row that has just moved says so until the list is asked for again. */
function Place({ content: { location } }: { content: Content }) {
  const place = location as Content['location'] | null;
  if (!place) return <>Nowhere</>;
  return (
    <AnchorLink to="/locations/$locationId" params={{ locationId: String(place.id) }}>
      <UserText>{place.name}</UserText>
    </AnchorLink>
  );
}

/** The assets at a location, live; on request those in what is below it too. */
export function HereNow({ locationId }: { locationId: number }) {
  const trpc = useTRPC();
  const { q = '', below = false, offset = 0, asset } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState(q);
  const contents = useQuery(
    trpc.locations.contents.queryOptions(
      { location_id: locationId, including_below: below, limit: pageSize, offset, ...(q === '' ? {} : { q }) },
      { placeholderData: (before) => before },
    ),
  );
  useLiveRefresh(trpc.locations.contents.pathFilter());

  function show(change: { q?: string; below?: boolean; offset?: number }): void {
    const next = { q, below, offset: 0, ...change };
    const search: LocationSearch = {
      ...(next.q === '' ? {} : { q: next.q }),
      ...(next.below ? { below: true } : {}),
      ...(next.offset === 0 ? {} : { offset: next.offset }),
      ...(asset === undefined ? {} : { asset }),
    };
    void navigate({ search, replace: true, resetScroll: false });
  }
  const search = useDebouncedCallback((text: string) => show({ q: text.trim() }), pauseMs);

  const { assets_here: here, assets_below: inAll } = contents.data ?? {};
  const hasMoreBelow = here !== undefined && inAll !== undefined && inAll > here;
  return (
    <section aria-labelledby="here-now">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-end">
          <Title order={2} size="h4" id="here-now">
            Here now
            {here !== undefined && (
              <Badge ml="xs" size="lg" component="span" data-testid="here-count">
                {(below ? (inAll ?? here) : here).toLocaleString()}
              </Badge>
            )}
          </Title>
          {(hasMoreBelow || below) && (
            <Switch
              label={`With what is below (${(inAll ?? 0).toLocaleString()} in all)`}
              checked={below}
              onChange={(event) => show({ below: event.currentTarget.checked })}
            />
          )}
        </Group>
        {(q !== '' || typed !== '' || (contents.data?.total_count ?? 0) > pageSize) && (
          <TextInput
            type="search"
            aria-label="Find an asset here"
            placeholder="Name, key or tag"
            leftSection={<IconSearch size={16} aria-hidden />}
            maxLength={255}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              search(event.currentTarget.value);
            }}
          />
        )}
        {contents.error ? (
          <ProblemState error={contents.error} onRetry={() => void contents.refetch()} />
        ) : (
          <DataTable
            caption="Assets here now"
            columns={below ? [...ownColumns, placeColumn, ...timeColumns] : [...ownColumns, ...timeColumns]}
            rows={contents.data?.data}
            rowId={({ id }) => String(id)}
            expectedRows={3}
            isStale={contents.isPlaceholderData}
            empty={
              <EmptyState icon={IconBoxSeam} title={q === '' ? 'Nothing is here now' : 'Nothing here matches'}>
                {q === '' &&
                  (hasMoreBelow
                    ? 'What is in the locations below counts there.'
                    : 'Assets appear as soon as a reader or a handheld sees them here.')}
              </EmptyState>
            }
          />
        )}
        {contents.data && contents.data.total_count > pageSize && (
          <Pager
            limit={pageSize}
            offset={offset}
            total={contents.data.total_count}
            unit="asset"
            onPage={(next) => show({ offset: next })}
          />
        )}
      </Stack>
    </section>
  );
}
