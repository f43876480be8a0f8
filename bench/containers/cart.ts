import { settleAfterMs, settleTask } from '../../server/tracking/scans/contents-queries.js';
import { createLog } from '../../server/kernel/log.js';
import type { ReceivedMessage } from '../../server/tracking/scans/batch.js';
import { ingestReads } from '../../server/tracking/scans/ingest.js';
import { createLocatingKnowledge } from '../../server/tracking/scans/locating-knowledge.js';
import type { TagRead } from '../../server/tracking/scans/reader-message.js';
import { createSettleTask } from '../../server/tracking/containers/settle.js';
import { createRandom, type Random } from '../locating/random.js';
import type { RecordedRun } from '../locating/recorded-run.js';
import { type Connections, type ContainerSite, messageOf, seedContainerSite } from './site.js';

// Recorded reads of one tag become those of a cart and six boxes: each is a thinned copy with losses of its own. The last box is left
// behind when the tag leaves a location: from then on it is read as the tag was read there before.

const boxes = 6;
const leftBox = boxes;

/** The share of reads that each of them keeps, the cart first. */
const keptShares = [0.7, 0.6, 0.5, 0.4, 0.35, 0.3, 0.5];

/** Gateways publish so often, each at its own phase. */
const publishingMs = { min: 500, max: 2000 };

/** After the end of a recording, its last visit goes on for so long, so that the last decisions can be made. */
const extendedMs = 120_000;

const stayMsMin = 8000;

type Read = { asset: number; antenna: number; rssiDbm: number; atMs: number };

/**
 * Plays a run, and returns its figures: true moves, moves of a box that stays, the share of the time in which these boxes are where
 * the cart is, containments that ended although the box was in the cart, how much earlier (-) or later the other one ended than the
 * cart left, and when that was known. Undefined if the run has no location that a box could be left behind at.
 */
export async function playCart(connections: Connections, run: RecordedRun): Promise<string[] | undefined> {
  const left = leavingOf(run);
  if (!left) return undefined;
  const random = createRandom(1, run.name);
  const startMs = Math.floor((Date.now() - 86_400_000) / 1000) * 1000;
  const site = await seedContainerSite(connections.client, {
    assets: boxes + 1,
    locations: run.locations,
    readersAt: run.antennas.map(({ location }) => location - 1),
    rule: 'evidence',
    sinceMs: startMs - 1000,
  });
  const reads = readsOf(run, left, random);
  const messages = publish(reads, { site, startMs, random });
  const locating = createLocatingKnowledge({ db: connections.db, log: createLog('silent') });
  const settling = createSettleTask({ db: connections.db, interests: { wants: () => false } })[settleTask];
  await locating.prepare([site.orgId]);
  let endedAtMs: number | undefined;
  let nextSettleMs = startMs + settleAfterMs;
  try {
    for (const batch of messages) {
      const receivedAtMs = batch.at(-1)?.receivedAtMs ?? 0;
      const options = { retentionDays: 365, waitForTrees: true, knowledge: locating, nowMs: receivedAtMs };
      await ingestReads(connections.db, batch, options);
      if (receivedAtMs < nextSettleMs) continue;
      nextSettleMs = receivedAtMs + settleAfterMs;
      await settling?.({ org_id: site.orgId, container_id: site.assetIds[0] }, new AbortController().signal);
      if (endedAtMs === undefined && (await endOf(connections, site, leftBox)) !== undefined) endedAtMs = receivedAtMs;
    }
  } finally {
    await locating.stop();
  }
  return figuresOf(connections, site, { run, leftMs: startMs + left.untilMs, knownMs: endedAtMs });
}

type Leaving = { fromMs: number; untilMs: number };

/** Returns the last visit that is long enough, after which the tag goes elsewhere and does not end where it was. */
function leavingOf({ visits }: RecordedRun): Leaving | undefined {
  const [own = []] = visits;
  return own.findLast(
    ({ location, fromMs, untilMs }, index) =>
      untilMs - fromMs >= stayMsMin && own.slice(index + 1).every((later) => later.location !== location),
  );
}

/** Returns the reads of the cart and the boxes, in the order of time. */
function readsOf(run: RecordedRun, left: Leaving, random: Random): Read[] {
  const endMs = Math.max(...run.reads.map(({ atMs }) => atMs));
  const last = run.visits[0]?.at(-1);
  const parked = last ? repeat(run.reads, last, { fromMs: endMs, untilMs: endMs + extendedMs }) : [];
  const whole = [...run.reads, ...parked];
  const behind = [
    ...run.reads.filter(({ atMs }) => atMs < left.untilMs),
    ...repeat(run.reads, left, { fromMs: left.untilMs, untilMs: endMs + extendedMs }),
  ];
  const reads = keptShares.flatMap((share, asset) =>
    (asset === leftBox ? behind : whole)
      .filter(() => random.fraction() < share)
      .map(({ antenna, rssiDbm, atMs }) => ({ asset, antenna, rssiDbm, atMs })),
  );
  return reads.sort((one, other) => one.atMs - other.atMs);
}

/** The middle of a visit, in which the tag hardly moves, is repeated for a tag that stands. */
const standingMs = 3000;

/** Returns the reads of a visit again and again, during a later time. */
function repeat<Item extends { atMs: number }>(
  reads: readonly Item[],
  visit: Leaving,
  { fromMs, untilMs }: Leaving,
): Item[] {
  const spanMs = Math.min(standingMs, visit.untilMs - visit.fromMs);
  const beganMs = (visit.fromMs + visit.untilMs - spanMs) / 2;
  const ofVisit = reads.filter(({ atMs }) => atMs >= beganMs && atMs < beganMs + spanMs);
  const repeated: Item[] = [];
  for (let beginMs = fromMs; beginMs < untilMs; beginMs += spanMs) {
    for (const read of ofVisit) {
      const atMs = beginMs + read.atMs - beganMs;
      if (atMs < untilMs) repeated.push({ ...read, atMs });
    }
  }
  return repeated;
}

type Publishing = { site: ContainerSite; startMs: number; random: Random };

/** Returns batches of messages in the order of their receipt: what all readers publish within half a second. */
function publish(reads: readonly Read[], { site, startMs, random }: Publishing): ReceivedMessage[][] {
  const readers = site.readerIds.map(() => {
    const intervalMs = random.uniform(publishingMs.min, publishingMs.max);
    return { intervalMs, phaseMs: random.uniform(0, intervalMs) };
  });
  const messages = new Map<string, { receivedAtMs: number; readerId: number; reads: TagRead[] }>();
  for (const { asset, antenna, rssiDbm, atMs } of reads) {
    const { intervalMs, phaseMs } = readers[antenna] ?? { intervalMs: 1000, phaseMs: 0 };
    const no = Math.max(0, Math.ceil((atMs - phaseMs) / intervalMs));
    const receivedAtMs = Math.round(startMs + phaseMs + no * intervalMs);
    const key = `${antenna} ${no}`;
    const message = messages.get(key) ?? { receivedAtMs, readerId: site.readerIds[antenna] ?? 0, reads: [] };
    const value = site.tags[asset] ?? '';
    message.reads.push({ tagType: 'rfid', value, antenna: 1, rssiDbm, observedAtMs: Math.round(startMs + atMs) });
    messages.set(key, message);
  }
  const batches = new Map<number, ReceivedMessage[]>();
  for (const message of [...messages.values()].sort((one, other) => one.receivedAtMs - other.receivedAtMs)) {
    const slot = Math.floor(message.receivedAtMs / publishingMs.min);
    const batch = batches.get(slot) ?? [];
    batch.push(messageOf([site.orgId, message.readerId], message.reads, message.receivedAtMs));
    batches.set(slot, batch);
  }
  return [...batches.values()];
}

/** Returns when the containment of a box ended; undefined while it lasts. */
async function endOf({ client }: Connections, site: ContainerSite, box: number): Promise<number | undefined> {
  const { rows } = await client.query<{ until: Date | null }>(
    'SELECT until FROM asset_containments WHERE org_id = $1 AND asset_id = $2',
    [site.orgId, site.assetIds[box]],
  );
  return rows[0]?.until?.getTime();
}

type Played = { run: RecordedRun; leftMs: number; knownMs: number | undefined };

async function figuresOf(
  connections: Connections,
  site: ContainerSite,
  { run, leftMs, knownMs }: Played,
): Promise<string[]> {
  const { client } = connections;
  const staying = site.assetIds.slice(1, leftBox);
  const { rows: moves } = await client.query<{ n: number }>(
    'SELECT count(*)::float8 AS n FROM visits WHERE org_id = $1 AND asset_id = ANY($2::int[])',
    [site.orgId, staying],
  );
  const { rows: shares } = await client.query<{ share: number }>(
    `WITH visit AS (
       SELECT v.asset_id, v.location_id, v.arrived_at, coalesce(v.left_at, p.asset_last_seen) AS left_at
         FROM visits v JOIN asset_positions p ON p.org_id = v.org_id AND p.asset_id = v.asset_id
        WHERE v.org_id = $1
     )
     SELECT sum(o.seconds) FILTER (WHERE b.location_id = c.location_id) / sum(o.seconds) AS share
       FROM visit b
       JOIN visit c ON c.asset_id = $2 AND c.arrived_at < b.left_at AND c.left_at > b.arrived_at
      CROSS JOIN LATERAL (
        SELECT extract(epoch FROM least(b.left_at, c.left_at) - greatest(b.arrived_at, c.arrived_at)) AS seconds) o
      WHERE b.asset_id = ANY($3::int[])`,
    [site.orgId, site.assetIds[0], staying],
  );
  const { rows: wrong } = await client.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM asset_containments WHERE org_id = $1 AND asset_id = ANY($2::int[]) AND until IS NOT NULL',
    [site.orgId, staying],
  );
  const endMs = await endOf(connections, site, leftBox);
  const seconds = (ms: number | undefined) => (ms === undefined ? 'never' : ((ms - leftMs) / 1000).toFixed(1));
  const [own = []] = run.visits;
  const trueMoves = own.filter(({ location }, index) => index > 0 && own[index - 1]?.location !== location).length;
  return [
    String(trueMoves),
    (((moves[0]?.n ?? 0) - staying.length) / staying.length).toFixed(1),
    (100 * (shares[0]?.share ?? 0)).toFixed(1),
    String(wrong[0]?.n ?? 0),
    seconds(endMs),
    seconds(knownMs),
  ];
}
