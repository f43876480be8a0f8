import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC, useTRPCClient } from '../../api/trpc.js';
import { ProblemState } from '../../ui/problem-state.js';
import { quantity } from '../../ui/quantity.js';
import { durationText, exactTime, useNow } from '../../ui/times.js';
import { PlacePath } from './place-path.js';
import classes from './timeline.module.css';
import { TimelineBar } from './timeline-bar.js';
import { mergedStays } from './stays.js';

export type Stay = Outputs['assets']['stays']['data'][number];

const staysAPage = 15;

/** Where an asset stayed and how long, latest first; further back as far as somebody asks. */
export function Timeline({ assetId }: { assetId: number }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const stays = useInfiniteQuery({
    queryKey: [...trpc.assets.stays.queryKey({ asset_id: assetId }), 'pages'],
    queryFn: ({ pageParam: before, signal }) =>
      api.assets.stays.query(
        { asset_id: assetId, limit: staysAPage, ...(before === undefined ? {} : { before }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before: before }) => before ?? undefined,
  });
  const nowMs = useNow();
  if (stays.error && !stays.data) return <ProblemState error={stays.error} onRetry={() => void stays.refetch()} />;
  if (!stays.data) return <Skeleton height={180} aria-busy="true" />;
  const shown = mergedStays(stays.data.pages);
  if (shown.length === 0) return <Text c="dimmed">Nothing yet. Every stay is listed here with its length.</Text>;
  return (
    <Stack gap="sm">
      <TimelineBar stays={shown} nowMs={nowMs} />
      <ol className={classes['stays']} aria-label="Stays, latest first">
        {shown.map((stay) => (
          <li key={stay.started_at}>
            <StayLine stay={stay} nowMs={nowMs} />
          </li>
        ))}
      </ol>
      {stays.hasNextPage && (
        <Group>
          <Button
            size="xs"
            variant="default"
            loading={stays.isFetchingNextPage}
            onClick={() => void stays.fetchNextPage()}
          >
            Earlier stays
          </Button>
        </Group>
      )}
      {stays.error && <ProblemState error={stays.error} onRetry={() => void stays.fetchNextPage()} />}
    </Stack>
  );
}

function StayLine({ stay, nowMs }: { stay: Stay; nowMs: number }) {
  const startMs = Date.parse(stay.started_at);
  const endMs = stay.ended_at === null ? nowMs : Date.parse(stay.ended_at);
  return (
    <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
      <div className={classes['place']}>
        <PlacePath place={stay.location} isSeen />
        <Text size="xs" c="dimmed">
          {stay.is_cut && 'Before '}
          <time dateTime={stay.started_at} title={exactTime(startMs)}>
            {shortTime(startMs)}
          </time>
          {' to '}
          {stay.ended_at === null ? (
            'now'
          ) : (
            <time dateTime={stay.ended_at} title={exactTime(endMs)}>
              {shortTime(endMs)}
            </time>
          )}
        </Text>
      </div>
      <Text size="sm" className={classes['length']} title={quantity(stay.event_count, 'event')}>
        {stay.is_cut && 'More than '}
        {durationText(endMs - startMs)}
      </Text>
    </Group>
  );
}

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function shortTime(atMs: number): string {
  return format.format(atMs);
}
