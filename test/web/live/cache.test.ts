import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { createTRPCClient } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../../server/router.js';
import { createLiveCache } from '../../../web/live/cache.js';
import type { LivePosition } from '../../../web/live/hub.js';

const tableKey = [['assets', 'table'], { input: {}, type: 'query' }];
const dock = { id: 1, external_key: 'LOC-1', name: 'Dock', is_deleted: false };
const site = { id: 9, external_key: 'LOC-9', name: 'Site' };

function row(id: number, seen: string | null) {
  return {
    id,
    name: `Cart ${id}`,
    location: seen === null ? null : { ...dock, path: [site, dock] },
    asset_last_seen: seen,
    located_since: seen,
    placement: null,
  };
}

function position(id: number, at: string, locationId: number): LivePosition {
  return {
    asset_id: id,
    asset_external_key: `CART-${id}`,
    asset_name: `Cart ${id}`,
    kind_id: null,
    kind_color: null,
    location_id: locationId,
    location_external_key: `LOC-${locationId}`,
    location_name: `Place ${locationId}`,
    from_location_id: null,
    from_location_name: null,
    asset_last_seen: at,
    located_since: at,
    placement: null,
  };
}

const early = '2026-01-01T00:00:00.000Z';
const late = '2026-01-01T00:00:05.000Z';

const running: { stop(): void }[] = [];
afterEach(() => {
  for (const cache of running.splice(0)) cache.stop();
});

function setUp(rows = [row(1, early), row(2, early), row(3, null)]) {
  const queryClient = new QueryClient();
  queryClient.setQueryData(tableKey, { data: rows, total_count: rows.length }, { updatedAt: 1000 });
  const findPath = vi.fn<(id: number) => Promise<{ id: number; external_key: string; name: string }[]>>((id) =>
    Promise.resolve([site, { id, external_key: `LOC-${id}`, name: `Place ${id}` }]),
  );
  const client = createTRPCClient<AppRouter>({ links: [] });
  const trpc = createTRPCOptionsProxy({ client, queryClient });
  const cache = createLiveCache({ queryClient, trpc, findPath });
  running.push(cache);
  const table = () => queryClient.getQueryData<{ data: ReturnType<typeof row>[] }>(tableKey);
  const report = (...positions: LivePosition[]) => cache.listener.onPositions?.(positions, []);
  return { queryClient, cache, findPath, table, report };
}

const settled = () => new Promise(setImmediate);

it('changes rows in their places, once the way to where they are is known, and looks no newer for it', async () => {
  const { queryClient, table, report } = setUp();
  report(position(3, late, 2), position(2, late, 1));
  expect(table()?.data.map(({ id, asset_last_seen: seen }) => [id, seen])).toEqual([
    [1, early],
    [2, late],
    [3, null],
  ]);
  await settled();
  expect(table()?.data[2]).toMatchObject({
    id: 3,
    asset_last_seen: late,
    location: { id: 2, path: [site, { id: 2 }] },
  });
  expect(table()?.data[1]?.location?.path).toEqual([site, dock]);
  expect(queryClient.getQueryState(tableKey)?.dataUpdatedAt).toBe(1000);
});

it('leaves what it knows already, and what is not shown, as the same objects', () => {
  const { table, report } = setUp();
  const before = table();
  report(position(1, early, 2), position(77, late, 2));
  expect(table()).toBe(before);
});

it('shows the name alone where the path cannot be loaded', async () => {
  const { findPath, table, report } = setUp();
  findPath.mockRejectedValueOnce(new Error('away'));
  report(position(1, late, 5));
  await settled();
  expect(table()?.data[0]?.location).toMatchObject({ id: 5, path: [{ name: 'Place 5' }] });
});

it('brings an answer up to date that was on its way when a change was reported', async () => {
  const { queryClient, table, report } = setUp();
  report(position(1, late, 1));
  await queryClient.query({ queryKey: tableKey, queryFn: () => Promise.resolve({ data: [row(1, early)] }) });
  expect(table()?.data[0]?.asset_last_seen).toBe(late);
});

it('does not make an answer good again that somebody called outdated', async () => {
  const { queryClient, table, report } = setUp();
  await queryClient.invalidateQueries({ queryKey: tableKey });
  report(position(1, late, 1));
  expect(table()?.data[0]?.asset_last_seen).toBe(early);
  expect(queryClient.getQueryState(tableKey)?.isInvalidated).toBe(true);
});

it('marks all live data outdated when more changed than is sent', () => {
  const { queryClient, cache } = setUp();
  queryClient.setQueryData([['members', 'list'], {}], []);
  cache.listener.onResync?.();
  expect(queryClient.getQueryState(tableKey)?.isInvalidated).toBe(true);
  expect(queryClient.getQueryState([['members', 'list'], {}])?.isInvalidated).toBe(false);
});

it('shows the number of open alerts at once, and asks for lists of alerts again', async () => {
  const { queryClient, cache } = setUp();
  const countKey = [['alerts', 'openCount'], { type: 'query' }];
  const listKey = [['alerts', 'list'], { input: { status: 'open' }, type: 'query' }, 'pages', 50];
  queryClient.setQueryData(countKey, { count: 0, is_more: false });
  queryClient.setQueryData(listKey, { pages: [] });
  cache.listener.onAlerts?.({ count: 3, is_more: false });
  expect(queryClient.getQueryData(countKey)).toEqual({ count: 3, is_more: false });
  await expect.poll(() => queryClient.getQueryState(listKey)?.isInvalidated).toBe(true);
  expect(queryClient.getQueryState(countKey)?.isInvalidated).toBe(false);
  // After a lost connection the number is not known.
  cache.listener.onAlerts?.(null);
  expect(queryClient.getQueryState(countKey)?.isInvalidated).toBe(true);
});
