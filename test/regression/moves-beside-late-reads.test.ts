import { ulid } from 'ulid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReceivedMessage } from '../../server/tracking/scans/batch.js';
import { ingestReads } from '../../server/tracking/scans/ingest.js';
import { createLocatingKnowledge, type LocatingKnowledge } from '../../server/tracking/scans/locating-knowledge.js';
import { acceptSubmission } from '../../server/tracking/scans/submit.js';
import { nobody } from '../support/caller.js';
import { fileWorld } from '../support/shared.js';
import { createScanWorld, type TestReader } from '../support/scan-world.js';

const world = fileWorld(createScanWorld);
let knowledge: LocatingKnowledge;

beforeAll(async () => {
  knowledge = createLocatingKnowledge(world);
  // Events leave the outbox when they are delivered.
  await world.db
    .$executeRaw`CREATE TABLE moves (id int GENERATED ALWAYS AS IDENTITY, org_id int, occurred_at timestamptz, data jsonb)`;
  await world.db.$executeRaw`
    CREATE FUNCTION copy_move() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO moves (org_id, occurred_at, data) VALUES (NEW.org_id, NEW.occurred_at, NEW.data);
      RETURN NEW;
    END $$`;
  await world.db.$executeRaw`
    CREATE TRIGGER copy_move AFTER INSERT ON outbox_events
    FOR EACH ROW WHEN (NEW.type = 'asset.location_changed') EXECUTE FUNCTION copy_move()`;
});

afterAll(() => knowledge.stop());

const allInterests = { wants: () => true, start: async () => {}, stop: async () => {} };

const baseMs = Math.floor((Date.now() - 86_400_000) / 60_000) * 60_000;

type Rule = 'evidence' | 'newest';
type Place = 'dock' | 'hall' | 'aisle';
type Seen = [place: Place, ...seconds: number[]];

/** An asset, and three locations with a reader each. */
async function setUp(location_rule: Rule) {
  const org = await world.organization();
  const asset = await org.asset({ tags: [['rfid', 'A1']] });
  const readers = new Map<Place, TestReader>();
  const locations = new Map<number | null, Place>();
  for (const place of ['dock', 'hall', 'aisle'] as const) {
    const location_id = await org.location();
    locations.set(location_id, place);
    readers.set(place, await org.reader({ location_id, location_rule, resolution_seconds: 60 }));
  }
  await knowledge.prepare([org.orgId]);

  function messageOf(place: Place, second: number): ReceivedMessage {
    const read = {
      tagType: 'rfid',
      value: 'A1',
      antenna: 1,
      rssiDbm: -57,
      observedAtMs: baseMs + second * 1000,
    } as const;
    const content = { kind: 'reads', reads: [read] } as const;
    const readerId = readers.get(place)?.id ?? 0;
    return { message: { orgId: org.orgId, readerId, topic: 'reads', content }, receivedAtMs: Date.now() };
  }

  return {
    see(...seen: Seen[]) {
      const messages = seen.flatMap(([place, ...seconds]) => seconds.map((second) => messageOf(place, second)));
      const options = { retentionDays: 365, waitForTrees: true, knowledge, interests: allInterests };
      return ingestReads(world.connections, messages, options);
    },
    scan(place: Place, second: number) {
      const { services } = world.core.contextFor({ actor: nobody, requestId: 'test', clientAddress: '192.0.2.1' });
      const input = {
        submission_id: ulid(),
        location_id: readers.get(place)?.location_id ?? 0,
        reads: [{ asset_id: asset }],
        observed_at: baseMs + second * 1000,
      };
      const submitter = { orgId: org.orgId, userId: 1 };
      return acceptSubmission({ ...services, eventInterests: allInterests }, submitter, { input });
    },
    async reported() {
      const rows = await world.db.$queryRaw<
        { second: number; from: number | null; to: number }[]
      >`SELECT (extract(epoch FROM occurred_at) - ${baseMs / 1000}::float8)::float8 AS second,
               (data ->> 'from_id')::int AS from, (data ->> 'to_id')::int AS to
          FROM moves WHERE org_id = ${org.orgId} ORDER BY id`;
      return rows.map(({ second, from, to }) => [second, locations.get(from) ?? null, locations.get(to)]);
    },
    position: async () => locations.get((await org.positions())[0]?.location_id ?? null),
  };
}

const seconds = (from: number, until: number) => Array.from({ length: until - from }, (_, index) => from + index);

it('reports a move in the batch of a late read, where the newest read decides', async () => {
  const { see, reported, position } = await setUp('newest');
  await see(['dock', 100]);
  await see(['hall', 50], ['aisle', 200]);
  expect(await position()).toBe('aisle');
  expect(await reported()).toEqual([
    [100, null, 'dock'],
    [200, 'dock', 'aisle'],
  ]);
});

it('reports a move in the batch of a backlog, by evidence', async () => {
  const { see, reported, position } = await setUp('evidence');
  await see(['dock', ...seconds(0, 10)]);
  await see(['dock', ...seconds(300, 310)]);
  await see(['hall', ...seconds(100, 110)], ['aisle', ...seconds(400, 410)]);
  expect(await position()).toBe('aisle');
  expect(await reported()).toEqual([
    [0, null, 'dock'],
    [400, 'dock', 'aisle'],
  ]);
});

it('reports no move for a late run of reads elsewhere since the newest event', async () => {
  const { see, reported, position } = await setUp('evidence');
  await see(['dock', ...seconds(0, 111)]);
  await see(['hall', 80, 81, 82, 83]);
  expect(await position()).toBe('dock');
  expect(await reported()).toEqual([[0, null, 'dock']]);
});

it('reports no move for a late read that is newer than the newest event', async () => {
  const { see, reported, position } = await setUp('newest');
  await see(['dock', 0]);
  await see(['dock', 40]);
  await see(['hall', 20]);
  expect(await position()).toBe('dock');
  await see(['dock', 100]);
  expect(await reported()).toEqual([[0, null, 'dock']]);
});

it('reports a move to where a late read had already been', async () => {
  const { see, reported } = await setUp('newest');
  await see(['dock', 0]);
  await see(['dock', 40]);
  await see(['hall', 20]);
  await see(['hall', 50]);
  await see(['aisle', 60]);
  expect(await reported()).toEqual([
    [0, null, 'dock'],
    [50, 'dock', 'hall'],
    [60, 'hall', 'aisle'],
  ]);
});

it.each(['evidence', 'newest'] as const)('reports scans that move an asset, but no late ones: %s', async (rule) => {
  const { see, scan, reported, position } = await setUp(rule);
  await see(['dock', 0, 10, 20, 30, 40]);
  await scan('hall', 20);
  expect(await position()).toBe('dock');
  await see(['dock', 50, 60]);
  await scan('hall', 70);
  await scan('hall', 80);
  expect(await position()).toBe('hall');
  expect(await reported()).toEqual([
    [0, null, 'dock'],
    [70, 'dock', 'hall'],
  ]);
});
