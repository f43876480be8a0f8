import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReceivedMessage } from '../../server/tracking/scans/batch.js';
import { ingestReads } from '../../server/tracking/scans/ingest.js';
import { createLocatingKnowledge, type LocatingKnowledge } from '../../server/tracking/scans/locating-knowledge.js';
import { lockClasses } from '../../server/kernel/database/locks.js';
import { pollOptions } from '../support/poll-options.js';
import { fileWorld } from '../support/shared.js';
import { createScanWorld, type TestReader } from '../support/scan-world.js';
import { createReceiver } from '../support/webhook-receiver.js';

const world = fileWorld(() => createScanWorld({ settings: { webhooksAllowPrivateAddresses: true } }));
let knowledge: LocatingKnowledge;

beforeAll(async () => {
  knowledge = createLocatingKnowledge(world);
});

afterAll(() => knowledge.stop());

type Place = 'dock' | 'hall' | 'aisle';
/** Reads of a second, with their levels. */
type Heard = Partial<Record<Place, number>>;

/** An asset that the reader at the dock has read for 20 seconds until now, and a webhook for moves. */
async function setUp() {
  const receiver = await createReceiver();
  const org = await world.organization();
  const asset = await org.asset({ tags: [['ble', 'C2F3A1B4D5E6']] });
  const readers = new Map<Place, TestReader>();
  const locations = new Map<number | null, Place>();
  for (const place of ['dock', 'hall', 'aisle'] as const) {
    const location_id = await org.location();
    locations.set(location_id, place);
    readers.set(place, await org.reader({ location_id, location_rule: 'evidence' }));
  }
  const event_types = ['asset.location_changed'] as const;
  const { secret } = await org.admin.webhooks.create({
    name: 'Receiver',
    url: receiver.url,
    event_types: [...event_types],
  });
  receiver.secret = secret;
  await knowledge.prepare([org.orgId]);
  const nowMs = Date.now() - 40_000;
  const placeOf = (location: number | null) => locations.get(location) ?? null;

  /** Ingests what is heard from a second on, each second in a batch of its own or all of them in one. */
  async function hear(second: number, heard: Heard[], { together = false } = {}): Promise<void> {
    const batches = heard.map((levels, index) =>
      Object.entries(levels).map(([place, rssiDbm]): ReceivedMessage => {
        const observedAtMs = nowMs + (second + index) * 1000;
        const read = { tagType: 'ble', value: 'C2F3A1B4D5E6', antenna: 1, rssiDbm, observedAtMs } as const;
        const content = { kind: 'reads', reads: [read] } as const;
        const readerId = readers.get(place as Place)?.id ?? 0;
        return { message: { orgId: org.orgId, readerId, topic: 'reads', content }, receivedAtMs: observedAtMs };
      }),
    );
    const interests = { wants: () => true, start: async () => {}, stop: async () => {} };
    const options = { retentionDays: 365, waitForTrees: true, knowledge, interests };
    for (const batch of together ? [batches.flat()] : batches) await ingestReads(world.connections, batch, options);
  }

  await hear(
    -20,
    Array.from({ length: 20 }, () => ({ dock: -70 })),
  );
  return {
    hear,
    position: async () => placeOf((await org.positions())[0]?.location_id ?? null),
    async history() {
      const [position] = await world.db.assetPosition.findMany({ where: { orgId: org.orgId } });
      const visits = await world.db.assetVisit.findMany({ where: { orgId: org.orgId }, orderBy: { arrivedAt: 'asc' } });
      const secondOf = (at: Date | null | undefined) => (at ? Math.round((at.getTime() - nowMs) / 1000) : null);
      return {
        since: secondOf(position?.locatedSince),
        visits: visits.map(({ locationId, arrivedAt, leftAt }) => [
          placeOf(locationId),
          secondOf(arrivedAt),
          secondOf(leftAt),
        ]),
        events: (await org.events(asset)).map(({ location_id }) => placeOf(location_id)),
      };
    },
    /** Does something while no event of the organization is sent. */
    unsent: (work: () => Promise<void>) =>
      world.db.$transaction(
        async (tx) => {
          await tx.$queryRaw`SELECT pg_advisory_xact_lock(${lockClasses.eventRouting}::int, ${org.orgId}::int)::text`;
          await work();
        },
        { timeoutMs: 60_000 },
      ),
    async waiting() {
      const rows = await world.db.$queryRaw<{ second: number }[]>`
        SELECT (extract(epoch FROM ready_at) - ${nowMs / 1000}::float8)::int AS second
          FROM outbox_events WHERE org_id = ${org.orgId}::int ORDER BY id`;
      return rows.map(({ second }) => second);
    },
    /** The moves that the webhook got, after the first sighting. */
    moves: () =>
      receiver.received
        .filter(({ body: { data } }) => data['from'] !== null)
        .map(({ body: { data } }) => [placeOf(data['from'].id), placeOf(data['to'].id)]),
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]();
    },
  };
}

const hall = { hall: -40 };
const dock = { dock: -50 };
const aisle = { aisle: -40 };

it.each([false, true])(
  'leaves nothing if the asset is back within five seconds, all in one batch: %s',
  async (together) => {
    await using site = await setUp();
    await site.unsent(async () => {
      await site.hear(0, [hall, hall, hall], { together });
      expect(await site.position()).toBe('hall');
      // Five seconds after the decision.
      expect(await site.waiting()).toEqual([6]);
      await site.hear(3, [hall, dock, dock], { together });
      expect(await site.position()).toBe('dock');
      expect(await site.waiting()).toEqual([]);
    });
    expect(await site.history()).toEqual({ since: -20, visits: [['dock', -20, null]], events: ['dock', 'dock'] });
    await site.hear(20, [aisle, aisle, aisle]);
    await expect.poll(site.moves, pollOptions).toEqual([['dock', 'aisle']]);
  },
);

it('leaves nothing of a move that is taken back in the same batch', async () => {
  await using site = await setUp();
  await site.hear(0, [hall, hall, hall, dock, dock, dock], { together: true });
  expect(await site.history()).toEqual({ since: -20, visits: [['dock', -20, null]], events: ['dock'] });
  await site.hear(20, [aisle, aisle, aisle]);
  await expect.poll(site.moves, pollOptions).toEqual([['dock', 'aisle']]);
});

it.each([false, true])(
  'reports the last one of two moves within five seconds, all in one batch: %s',
  async (together) => {
    await using site = await setUp();
    await site.unsent(() => site.hear(0, [hall, hall, aisle, aisle, aisle], { together }));
    expect(await site.history()).toEqual({
      since: 0,
      visits: [
        ['dock', -20, 0],
        ['aisle', 0, null],
      ],
      events: ['dock', 'aisle'],
    });
    await expect.poll(site.moves, pollOptions).toEqual([['dock', 'aisle']]);
  },
);

it('reports the way back if the move was sent already', async () => {
  await using site = await setUp();
  await site.hear(0, [hall, hall, hall]);
  await expect.poll(site.moves, pollOptions).toEqual([['dock', 'hall']]);
  await site.hear(3, [dock, dock, dock]);
  await expect.poll(site.moves, pollOptions).toEqual([
    ['dock', 'hall'],
    ['hall', 'dock'],
  ]);
  expect(await site.history()).toMatchObject({ since: -20, visits: [['dock', -20, null]] });
});

it('keeps both moves if the second one comes later', async () => {
  await using site = await setUp();
  await site.hear(0, [hall, hall, hall, hall, hall, hall, hall, hall, hall, dock, dock, dock]);
  expect((await site.history()).visits.map(([place]) => place)).toEqual(['dock', 'hall', 'dock']);
});
