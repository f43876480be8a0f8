import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReceivedMessage } from '../../../../server/tracking/scans/batch.js';
import { ingestReads } from '../../../../server/tracking/scans/ingest.js';
import {
  createLocatingKnowledge,
  type LocatingKnowledge,
} from '../../../../server/tracking/scans/locating-knowledge.js';
import { createLiveWorld } from '../../../support/live-world.js';
import { createRandom } from '../../../support/random.js';
import { createClient, type RestClient } from '../../../support/rest-client.js';
import { fileWorld } from '../../../support/shared.js';
import type { ScanOrganization, TestReader } from '../../../support/scan-world.js';

const world = fileWorld(createLiveWorld);
let knowledge: LocatingKnowledge;

beforeAll(async () => {
  knowledge = createLocatingKnowledge(world);
});

afterAll(() => knowledge.stop());

/** A whole minute of yesterday. */
const baseMs = Math.floor((Date.now() - 86_400_000) / 60_000) * 60_000;
const iso = (ms: number) => new Date(ms).toISOString();

type Rule = 'evidence' | 'newest';
type Scanned = { asset: string; reader: TestReader; atMs: number; rssiDbm: number };
type HistoryItem = { event_observed_at: string; location_id: number | null; duration_seconds: number | null };

function ingest({ orgId }: ScanOrganization, reads: readonly Scanned[]) {
  const messages = reads.map(({ asset, reader, atMs, rssiDbm }): ReceivedMessage => {
    const read = { tagType: 'rfid', value: asset, antenna: 1, rssiDbm, observedAtMs: atMs } as const;
    const content = { kind: 'reads', reads: [read] } as const;
    return { message: { orgId, readerId: reader.id, topic: 'reads', content }, receivedAtMs: Date.now() };
  });
  return ingestReads(world.connections, messages, { retentionDays: 365, waitForTrees: true, knowledge });
}

/** Lets assets move between three readers for some minutes. A fifth of the reads are up to 90 s late. */
async function play(org: ScanOrganization, { seed, location_rule }: { seed: number; location_rule: Rule }) {
  const random = createRandom(seed).below;
  const assets = new Map<string, number>();
  for (const value of ['A1', 'A2', 'A3']) assets.set(value, await org.asset({ tags: [['rfid', value]] }));
  const readers: TestReader[] = [];
  for (let index = 0; index < 3; index += 1) {
    readers.push(await org.reader({ location_id: await org.location(), location_rule, resolution_seconds: 30 }));
  }
  const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
  const values = [...assets.keys()];
  const homes = new Map(values.map((value) => [value, pick(readers)]));
  await knowledge.prepare([org.orgId]);
  for (let step = 0; step < 60; step += 1) {
    const reads = Array.from({ length: 8 }, (): Scanned => {
      const asset = pick(values);
      if (random(25) === 0) homes.set(asset, pick(readers));
      const home = homes.get(asset) as TestReader;
      const reader = random(8) === 0 ? pick(readers) : home;
      const late = random(5) === 0 ? random(90_000) : random(4000);
      const atMs = baseMs + step * 4000 - late;
      return { asset, reader, atMs, rssiDbm: reader === home ? -57 + random(5) : -75 + random(8) };
    });
    await ingest(org, reads);
  }
  return [...assets.values()];
}

/** Requests the whole history of an asset page by page, oldest first. */
async function historyOf(client: RestClient, assetId: number): Promise<HistoryItem[]> {
  const items: HistoryItem[] = [];
  for (;;) {
    const query = `sort=event_observed_at&limit=200&offset=${items.length}`;
    const { status, body } = await client.get(`/api/v1/assets/${assetId}/history?${query}`);
    expect(status).toBe(200);
    items.push(...body.data);
    if (items.length === body.total_count) return items;
  }
}

it.each([
  { location_rule: 'evidence', seed: 21 },
  { location_rule: 'newest', seed: 22 },
] as const)('the history over REST gives the location that visits have: $location_rule', async (played) => {
  const org = await world.organization();
  const assets = await play(org, played);
  const key = { name: 'test', scopes: ['tracking:read'] as const, expires_at: null };
  const { token } = await org.admin.apiKeys.create({ ...key, scopes: [...key.scopes] });
  const client = createClient(world.url, token);
  const histories = new Map<number, HistoryItem[]>();
  for (const asset of assets) histories.set(asset, await historyOf(client, asset));

  const events = [...histories.values()].flat();
  expect(new Set(events.map(({ location_id }) => location_id)).size).toBe(3);
  for (const history of histories.values()) {
    expect(history.map(({ duration_seconds }) => duration_seconds)).toEqual(
      history.map(({ event_observed_at: at }, index) => {
        const next = history[index + 1]?.event_observed_at;
        return next === undefined ? null : Math.floor((Date.parse(next) - Date.parse(at)) / 1000);
      }),
    );
  }
  const times = [...new Set(events.map(({ event_observed_at: at }) => Date.parse(at)))];
  for (const atMs of times.flatMap((time) => [time - 1, time]).filter((_, index) => index % 3 === 0)) {
    const { data } = await org.admin.visits.assets({ at: iso(atMs), limit: 200 });
    const expected = assets.flatMap((asset) => {
      const last = histories.get(asset)?.findLast(({ event_observed_at: at }) => Date.parse(at) <= atMs);
      return last ? [[asset, last.location_id]] : [];
    });
    expect(new Map(data.map(({ id, location }) => [id, location.id]))).toEqual(new Map(expected as [number, number][]));
  }
});
