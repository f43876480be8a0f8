import { ulid } from 'ulid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReceivedMessage } from '../../../../server/tracking/scans/batch.js';
import { ingestReads } from '../../../../server/tracking/scans/ingest.js';
import { createLocatingKnowledge } from '../../../../server/tracking/scans/locating-knowledge.js';
import { acceptSubmission } from '../../../../server/tracking/scans/submit.js';
import { type DatabasePool, openDatabase } from '../../../../server/kernel/database/client.js';
import { sqlState } from '../../../../server/kernel/database/faults.js';
import { OvertakenError } from '../../../../server/tracking/scans/storage-queries.js';
import { nobody } from '../../../support/caller.js';
import { sharedScanWorld, type ScanOrganization, type TestReader } from '../../../support/scan-world.js';
import { visitsIn } from '../../../support/visits.js';

const world = await sharedScanWorld();
const pools: DatabasePool[] = [];

beforeAll(async () => {
  for (let index = 0; index < 2; index += 1) {
    pools.push(openDatabase({ url: world.databaseUrl, poolSize: 2, purpose: 'ingestion' }));
  }
});

afterAll(async () => {
  for (const each of pools) await each.close();
  await world[Symbol.asyncDispose]();
});

/** A whole minute of yesterday. */
const baseMs = Math.floor((Date.now() - 86_400_000) / 60_000) * 60_000;

type Rule = 'evidence' | 'newest';
type Place = 'dock' | 'hall';
/** What one of the two processes stores in one transaction: reads, or a scan. */
type Work = { process: 0 | 1 } & ({ reads: [place: Place, ...seconds: number[]][] } | { scan: [Place, number] });

/** An organization with an asset that two processes know, each with knowledge of its own. */
async function setUp(location_rule: Rule) {
  const org = await world.organization();
  const asset = await org.asset({ tags: [['rfid', 'A1']] });
  const readers = new Map<Place, TestReader>();
  const places = new Map<number | null, Place>();
  for (const place of ['dock', 'hall'] as const) {
    const location_id = await org.location();
    places.set(location_id, place);
    readers.set(place, await org.reader({ location_id, location_rule, resolution_seconds: 60 }));
  }
  const processes = pools.map(({ db }) => ({ connections: db, knowledge: createLocatingKnowledge(world) }));
  for (const { knowledge } of processes) await knowledge.prepare([org.orgId]);
  return { org, asset, readers, places, processes };
}

type Scene = Awaited<ReturnType<typeof setUp>>;

async function run({ org, asset, readers, processes }: Scene, work: Work): Promise<void> {
  const { connections: own, knowledge } = processes[work.process] as (typeof processes)[number];
  if ('reads' in work) {
    const messages = work.reads.flatMap(([place, ...seconds]) =>
      seconds.map((second) => messageOf(org, { reader: readers.get(place), second })),
    );
    // Without what was learned: a batch that is judged again would be learned from twice.
    const options = { retentionDays: 365, waitForTrees: true };
    await retrying(() => ingestReads(own, messages, options));
    return;
  }
  const [place, second] = work.scan;
  const { services } = world.core.contextFor({ actor: nobody, requestId: 'test', clientAddress: '192.0.2.1' });
  const input = {
    submission_id: ulid(),
    location_id: readers.get(place)?.location_id ?? 0,
    reads: [{ asset_id: asset }],
    observed_at: baseMs + second * 1000,
  };
  await acceptSubmission({ ...services, locating: knowledge }, { orgId: org.orgId, userId: 1 }, { input });
}

function messageOf(
  { orgId }: ScanOrganization,
  { reader, second }: { reader: TestReader | undefined; second: number },
): ReceivedMessage {
  const observedAtMs = baseMs + second * 1000;
  const read = { tagType: 'rfid', value: 'A1', antenna: 1, rssiDbm: -57, observedAtMs } as const;
  const content = { kind: 'reads', reads: [read] } as const;
  return { message: { orgId, readerId: reader?.id ?? 0, topic: 'reads', content }, receivedAtMs: baseMs + 600_000 };
}

/** Repeats what another transaction made impossible, as ingestion does. */
async function retrying<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isConflict = error instanceof OvertakenError || ['40P01', '40001'].includes(sqlState(error) ?? '');
      if (!isConflict || attempt === 20) throw error;
    }
  }
}

/** The position, events and visits of the asset, with names and seconds instead of ids and times. */
async function stateOf({ org, asset, places, processes }: Scene) {
  for (const { knowledge } of processes) await knowledge.stop();
  const where = { orgId: org.orgId, assetId: asset };
  const [position] = await world.db.assetPosition.findMany({ where });
  const visits = await visitsIn(world.db, where);
  const place = (id: number | null | undefined) => places.get(id ?? null);
  const second = (at: Date | null | undefined) => (at ? (at.getTime() - baseMs) / 1000 : null);
  return {
    position: [place(position?.locationId), second(position?.locatedSince), second(position?.assetLastSeen)],
    events: (await org.events(asset)).map(({ at, location_id }) => [place(location_id), second(new Date(at))]),
    visits: visits.map(({ locationId, arrivedAt, leftAt }) => [place(locationId), second(arrivedAt), second(leftAt)]),
  };
}

function permutationsOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) => permutationsOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

it.each<Rule>(['evidence', 'newest'])(
  'several processes at once end in the state that one order of the batches and scans gives: %s',
  async (rule) => {
    const first: Work = { process: 0, reads: [['dock', 0, 1, 2, 3, 40, 41]] };
    const second: Work = { process: 0, reads: [['dock', 80, 81, 82, 83]] };
    const other: Work = { process: 1, reads: [['hall', 20, 21, 22, 23, 60, 61, 62]] };
    const scan: Work = { process: 1, scan: ['hall', 70] };
    const possible = [];
    for (const order of permutationsOf([first, second, other, scan])) {
      // The first process stores its batches one after the other.
      if (order.indexOf(first) > order.indexOf(second)) continue;
      const scene = await setUp(rule);
      for (const work of order) await run(scene, work);
      possible.push(await stateOf(scene));
    }
    // The order does matter.
    expect(new Set(possible.map((state) => JSON.stringify(state))).size).toBeGreaterThan(2);
    for (let round = 0; round < 5; round += 1) {
      const scene = await setUp(rule);
      const inOrder = async (works: readonly Work[]) => {
        for (const work of works) await run(scene, work);
      };
      await Promise.all([inOrder([first, second]), run(scene, other), run(scene, scan)]);
      expect(possible).toContainEqual(await stateOf(scene));
    }
  },
);
