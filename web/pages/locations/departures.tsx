import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC, useTRPCClient } from '../../api/trpc.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { AssetLink, LocationLink } from '../../ui/object-links.js';
import { ProblemState } from '../../ui/problem-state.js';
import { NowMark } from '../../time/now-mark.js';
import { SeenWhen } from '../../ui/seen-when.js';
import { When } from '../../ui/when.js';
import { useLiveRefresh } from './use-live-refresh.js';

type Departure = Outputs['locations']['departures']['data'][number];

const pageSize = 10;

const columns: Column<Departure>[] = [
  { id: 'asset', header: t`Asset`, cell: (row) => <AssetLink id={row.asset_id} name={row.asset_name} fw={550} /> },
  { id: 'left', header: t`Left`, cell: (row) => <When at={row.left_at} /> },
  {
    id: 'now',
    header: t`Now at`,
    cell: (row) =>
      row.location ? (
        <LocationLink id={row.location.id} name={row.location.name} />
      ) : (
        <Text c="dimmed">{t`No known location`}</Text>
      ),
  },
  {
    id: 'last_seen',
    header: t`Last seen`,
    hideBelow: 'sm',
    cell: (row) => <SeenWhen at={row.asset_last_seen} placement={row.placement} />,
  },
];

/** The assets that were at a location within the last days and are at another location now, the latest first. */
export function Departures({ locationId }: { locationId: number }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const queryKey = [...trpc.locations.departures.pathKey(), 'pages', locationId];
  const departures = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      api.locations.departures.query(
        { location_id: locationId, limit: pageSize, ...(pageParam && { after: pageParam }) },
        { signal },
      ),
    initialPageParam: null as { left_at: string; asset_id: number } | null,
    getNextPageParam: ({ data, has_more }) => {
      const last = data.at(-1);
      return has_more && last ? { left_at: last.left_at, asset_id: last.asset_id } : undefined;
    },
  });
  useLiveRefresh({ queryKey });
  return (
    <section aria-labelledby="left">
      <Stack gap="sm">
        <Title order={2} size="h4" id="left">
          {t`Left within 7 days`}
          <NowMark />
        </Title>
        {departures.error ? (
          <ProblemState error={departures.error} onRetry={() => void departures.refetch()} />
        ) : (
          <DataTable
            caption={t`Assets that left`}
            columns={columns}
            rows={departures.data?.pages.flatMap(({ data }) => data)}
            rowId={({ asset_id }) => String(asset_id)}
            expectedRows={3}
            empty={<Text c="dimmed">{t`Nothing that was here has gone elsewhere.`}</Text>}
          />
        )}
        {departures.hasNextPage && (
          <Group>
            <Button
              variant="default"
              size="xs"
              loading={departures.isFetchingNextPage}
              onClick={() => void departures.fetchNextPage()}
            >
              <Trans>Show more</Trans>
            </Button>
          </Group>
        )}
      </Stack>
    </section>
  );
}
