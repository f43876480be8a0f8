import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC, useTRPCClient } from '../../api/trpc.js';
import { ProblemState } from '../../ui/problem-state.js';
import { durationText, exactTime, useNow } from '../../ui/times.js';
import { When } from '../../ui/when.js';
import { PlacePath } from './place-path.js';
import { VisitBar } from './visit-bar.js';
import classes from './visits.module.css';

export type Visit = Outputs['assets']['visits']['data'][number];

const pageSize = 15;

/** Lists the visits of an asset, newest first, and loads earlier ones on request. */
export function VisitList({ assetId }: { assetId: number }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const visits = useInfiniteQuery({
    queryKey: [...trpc.assets.visits.queryKey({ asset_id: assetId }), 'pages'],
    queryFn: ({ pageParam: before, signal }) =>
      api.assets.visits.query(
        { asset_id: assetId, limit: pageSize, ...(before === undefined ? {} : { before }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before: before }) => before ?? undefined,
  });
  const nowMs = useNow();
  if (visits.error && !visits.data) return <ProblemState error={visits.error} onRetry={() => void visits.refetch()} />;
  if (!visits.data) return <Skeleton height={180} aria-busy="true" />;
  const shown = visits.data.pages.flatMap(({ data }) => data);
  if (shown.length === 0) return <Text c="dimmed">Visits and their duration appear here.</Text>;
  return (
    <Stack gap="sm">
      <VisitBar visits={shown} nowMs={nowMs} />
      <ol className={classes['visits']} aria-label="Visits, newest first">
        {shown.map((visit) => (
          <li key={visit.arrived_at}>
            <VisitLine visit={visit} nowMs={nowMs} />
          </li>
        ))}
      </ol>
      {visits.hasNextPage && (
        <Group>
          <Button
            size="xs"
            variant="default"
            loading={visits.isFetchingNextPage}
            onClick={() => void visits.fetchNextPage()}
          >
            Earlier visits
          </Button>
        </Group>
      )}
      {visits.error && <ProblemState error={visits.error} onRetry={() => void visits.fetchNextPage()} />}
    </Stack>
  );
}

function VisitLine({ visit, nowMs }: { visit: Visit; nowMs: number }) {
  const arrivedMs = Date.parse(visit.arrived_at);
  const leftMs = visit.left_at === null ? nowMs : Date.parse(visit.left_at);
  return (
    <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
      <div className={classes['location']}>
        <PlacePath place={visit.location} isSeen />
        <Text size="xs" c="dimmed">
          <time dateTime={visit.arrived_at} title={exactTime(arrivedMs)}>
            {shortTime(arrivedMs)}
          </time>
          {' to '}
          {visit.left_at === null ? (
            'now'
          ) : (
            <time dateTime={visit.left_at} title={exactTime(leftMs)}>
              {shortTime(leftMs)}
            </time>
          )}
          {', last seen '}
          <When at={visit.last_seen_at} />
        </Text>
      </div>
      <Text size="sm" className={classes['duration']}>
        {durationText(leftMs - arrivedMs)}
      </Text>
    </Group>
  );
}

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function shortTime(atMs: number): string {
  return format.format(atMs);
}
