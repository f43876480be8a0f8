import type { TransactionClient } from '../../kernel/database/client.js';
import { sharedLockStatement } from '../../kernel/database/locks.js';
import { storeOnce } from '../../kernel/database/submissions.js';
import { fieldRefusal } from '../../kernel/errors.js';
import type { Services } from '../../services.js';
import { sessionProcedure } from '../../trpc.js';
import { type NamedLocation, type SubmitInput, type SubmitResult, submitInput } from './schemas.js';
import { logPlacements } from './placement-log.js';
import type { LocatingKnowledge } from './locating-knowledge.js';
import { type Placed, placeByHand, retryPlacing } from './place-by-hand.js';
import type { UnknownCount } from './scan-changes.js';
import type { Outbound } from './store-tracks.js';
import {
  findLocationNames,
  lockLiveAssets,
  locationIsLive,
  type ResolvedRead,
  resolveSubmittedReads,
  submissionInstants,
} from './submit-queries.js';

const dayMs = 86_400_000;

/**
 * Places the assets that a handheld scanned at a location, and returns a result for each read in order. A read that names
 * a location begins another place: the reads after it were scanned there. A submission id that was stored before gets the
 * same answer again, even with other reads.
 */
export const submitScans = sessionProcedure('operator')
  .input(submitInput)
  .mutation(async ({ ctx, input }): Promise<{ results: SubmitResult[] }> => {
    const { results } = await acceptSubmission(ctx.services, { orgId: ctx.orgId, userId: ctx.actor.userId }, { input });
    return { results };
  });

type AcceptedServices = Pick<Services, 'db' | 'settings' | 'readCounters' | 'locating' | 'eventInterests' | 'scanCaps'>;

export type AcceptedSubmission = {
  input: SubmitInput;
  /** Whether all reads are at the location of the submission, also after a read that names another one. */
  isOfOneLocation?: boolean;
  /** The batch that placements by hand belong to, which the caller records; by default one of their own. */
  batchId?: string;
  /**
   * Stores further data about the submission in its transaction, after its reads were resolved and before its assets
   * are placed.
   */
  record?: (tx: TransactionClient, resolved: ResolvedSubmission) => Promise<void>;
};

/**
 * Stores a handheld's submission once: a repetition with the same id gets the same answer. `record` may run more than
 * once, since the transaction is repeated after conflicts.
 *
 * @throws ContractError `validation_error` if there is no such location
 */
export async function acceptSubmission(
  { db, settings, readCounters, locating, eventInterests: interests, scanCaps }: AcceptedServices,
  { orgId, userId }: { orgId: number; userId: number },
  accepted: AcceptedSubmission,
): Promise<{ results: SubmitResult[] }> {
  const { input } = accepted;
  const beganMs = performance.now();
  await locating.prepare([orgId]);
  const { eventRetentionDays: retentionDays, baseUrl } = settings;
  const outbound = { interests, userId };
  const submission = { ...accepted, beganMs, retentionDays, baseUrl, locating, outbound };
  const { submission_id: submissionId } = input;
  const { results, isNew } = await retryPlacing(() =>
    db.$transaction((tx) => storeOnce(tx, orgId, { submissionId, store: () => submit(tx, orgId, submission) })),
  );
  if (isNew) {
    if (input.is_by_hand !== true) readCounters.submitted(orgId, input.reads.length);
    scanCaps.submissions.counted(new Map([[orgId, 1]]));
    const unknown = results.filter(({ status }) => status === 'unknown').length;
    if (unknown > 0) scanCaps.unknownTags.counted(new Map([[orgId, unknown]]));
  }
  return { results };
}

type Submission = AcceptedSubmission & {
  /** When it was received, by the clock of `performance.now`. */
  beganMs: number;
  retentionDays: number;
  baseUrl: string;
  locating: LocatingKnowledge;
  outbound: Outbound;
};

async function submit(tx: TransactionClient, orgId: number, submission: Submission): Promise<SubmitResult[]> {
  const resolved = await resolveSubmission(tx, orgId, submission);
  await submission.record?.(tx, resolved);
  return placeResolved(tx, orgId, { ...submission, resolved });
}

/**
 * What the reads of a submission are attached to, in order, the location where they begin, and the live assets among
 * them, locked until the end.
 */
export type ResolvedSubmission = { reads: ResolvedRead[]; beginsAt: number; assetIds: number[] };

/**
 * Finds what reads are attached to. Locks the organization's tree and the assets until the end of the transaction.
 *
 * @throws ContractError `validation_error` if there is no such location
 */
async function resolveSubmission(
  tx: TransactionClient,
  orgId: number,
  { input, baseUrl }: Pick<Submission, 'input' | 'baseUrl'>,
): Promise<ResolvedSubmission> {
  const { location_id: locationId, location_values: values = [], reads } = input;
  await tx.$queryRaw(sharedLockStatement('tree', orgId));
  if (!(await locationIsLive(tx, orgId, locationId))) {
    throw fieldRefusal('location_id', 'not_found', { value: locationId });
  }
  const scanned = [...reads, ...values.map((value) => ({ value }))];
  const all = await resolveSubmittedReads(tx, orgId, { reads: scanned, baseUrl });
  const resolved = all.slice(0, reads.length);
  const named = resolved.flatMap(({ assetId }) => (assetId === null ? [] : [assetId]));
  return {
    reads: resolved,
    beginsAt: lastLocationIn(all.slice(reads.length)) ?? locationId,
    assetIds: await lockLiveAssets(tx, orgId, [...new Set(named)]),
  };
}

/** Returns the location that the last read to name one names; null if none does. */
export function lastLocationIn(reads: readonly ResolvedRead[]): number | null {
  return reads.findLast(({ locationId }) => locationId !== null)?.locationId ?? null;
}

/** Reads that were scanned at one location, by their indexes, without the read that names it. */
type Stop = { locationId: number; indexes: number[] };

/** Divides reads into stops: a read that names a location begins the next one. */
function stopsOf(reads: readonly ResolvedRead[], locationId: number): Stop[] {
  const stops: Stop[] = [{ locationId, indexes: [] }];
  for (const [index, read] of reads.entries()) {
    if (read.locationId !== null) stops.push({ locationId: read.locationId, indexes: [] });
    else stops.at(-1)?.indexes.push(index);
  }
  return stops;
}

/** What is placed: its results name each location that is not `location_id`. */
type ResolvedPlacing = Pick<
  Submission,
  'isOfOneLocation' | 'batchId' | 'beganMs' | 'retentionDays' | 'locating' | 'outbound'
> & {
  input: Pick<SubmitInput, 'reads' | 'observed_at' | 'sent_at' | 'if_at' | 'is_by_hand'> & { location_id?: number };
  resolved: ResolvedSubmission;
};

/**
 * Places the assets of a submission where they were scanned, and counts values that are not attached to anything. Returns
 * a result for each read. The caller has locked the organization's tree and the assets.
 */
export async function placeResolved(
  tx: TransactionClient,
  orgId: number,
  submission: ResolvedPlacing,
): Promise<SubmitResult[]> {
  const { input, isOfOneLocation = false, batchId, locating, outbound, resolved } = submission;
  const { nowMs, observedAtMs } = await submissionTimes(tx, submission);
  const unknown = input.reads.filter(
    (read, index) => read.value !== undefined && resolved.reads[index]?.isKnown === false,
  );
  const live = new Set(resolved.assetIds);
  const ofOne = { locationId: resolved.beginsAt, indexes: [...resolved.reads.keys()] };
  const stops = isOfOneLocation ? [ofOne] : stopsOf(resolved.reads, resolved.beginsAt);
  const placed = new Map<number, Placed & { locationId: number }>();
  for (const [no, { locationId, indexes }] of stops.entries()) {
    const named = new Set(indexes.map((index) => resolved.reads[index]?.assetId));
    const assetIds = resolved.assetIds.filter((id) => named.has(id));
    if (assetIds.length === 0 && no > 0) continue;
    const outcomes = await placeByHand(tx, orgId, {
      // Scans of one asset at several stops keep their order.
      assetIds,
      locationId,
      observedAtMs: observedAtMs - (stops.length - 1 - no),
      receivedAtMs: nowMs,
      locating,
      outbound,
      unknown: no === 0 ? countsOf(orgId, unknown, observedAtMs) : [],
      ...(input.if_at !== undefined && { onlyFrom: input.if_at }),
      ...(input.is_by_hand === true && { placement: { fileName: null } }),
    });
    if (input.is_by_hand === true && outbound.userId !== null) {
      await logPlacements(tx, orgId, { placed: outcomes, locationId, userId: outbound.userId, batchId });
    }
    for (const index of indexes) {
      const outcome = outcomes.get(resolved.reads[index]?.assetId ?? 0);
      if (outcome) placed.set(index, { ...outcome, locationId });
    }
  }
  const names = await findLocationNames(
    tx,
    orgId,
    [...placed.values(), ...resolved.reads].flatMap((one) =>
      [one.locationId, 'from' in one ? one.from : null, 'staysAt' in one ? (one.staysAt ?? null) : null].flatMap(
        (id) => id ?? [],
      ),
    ),
  );
  return resolved.reads.map(({ assetId, locationId }, index) => {
    const outcome = placed.get(index);
    if (assetId !== null && live.has(assetId) && outcome) return placedResult(assetId, outcome, { input, names });
    const location = locationId === null || isOfOneLocation ? undefined : names.get(locationId);
    return location ? { status: 'location', location } : { status: 'unknown' };
  });
}

function placedResult(
  assetId: number,
  { from, staysAt, locationId }: Placed & { locationId: number },
  { input, names }: { input: ResolvedPlacing['input']; names: ReadonlyMap<number, NamedLocation> },
): SubmitResult {
  const [was, at] = [names.get(from ?? 0), names.get(locationId)];
  return {
    status: 'placed',
    asset_id: assetId,
    ...(was && from !== locationId && { from: was }),
    ...(at && locationId !== input.location_id && { at }),
    ...(staysAt !== undefined && { stays_at: names.get(staysAt ?? 0) ?? null }),
  };
}

type Timed = Pick<Submission, 'beganMs' | 'retentionDays'> & {
  input: Pick<SubmitInput, 'observed_at' | 'sent_at'>;
};

/**
 * Returns the database's clock, and when reads were scanned: without the fault of the device's clock if the device sent its time. A time in
 * the future, or before the retention of events, is replaced with the time of receipt.
 */
export async function submissionTimes(
  tx: TransactionClient,
  { input, beganMs, retentionDays }: Timed,
): Promise<{ nowMs: number; observedAtMs: number }> {
  const { observed_at: observedAtMs, sent_at: sentAtMs } = input;
  // Measured before the question: with a slow answer, the scan would seem older than what was stored before it.
  const waitedMs = performance.now() - beganMs;
  const { nowMs, retentionBeginMs } = await submissionInstants(tx, retentionDays * dayMs);
  const atMs =
    observedAtMs === undefined || sentAtMs === undefined
      ? observedAtMs
      : Math.round(nowMs - waitedMs - (sentAtMs - observedAtMs));
  const isReceipt = atMs === undefined || atMs > nowMs || atMs < retentionBeginMs;
  return { nowMs, observedAtMs: isReceipt ? nowMs : atMs };
}

/** Counts values that are not attached to anything, without a reader, once for each time they were submitted. */
function countsOf(orgId: number, reads: SubmitInput['reads'], observedAtMs: number): UnknownCount[] {
  const counts = new Map<string, UnknownCount>();
  for (const { tag_type: tagType = null, value = '' } of reads) {
    const key = `${tagType} ${value}`;
    const known = counts.get(key);
    if (known) known.count += 1;
    else {
      const times = { count: 1, firstMs: observedAtMs, lastMs: observedAtMs };
      counts.set(key, { orgId, tagType, value, readerId: null, antenna: null, ...times });
    }
  }
  return [...counts.values()];
}
