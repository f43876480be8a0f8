import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { sharedLockStatement } from '../../kernel/database/locks.js';
import { validationError } from '../../kernel/errors.js';
import type { Services } from '../../services.js';
import { sessionProcedure } from '../../trpc.js';
import { type SubmitInput, type SubmitResult, submitInput } from './schemas.js';
import type { LocatingKnowledge } from './locating-knowledge.js';
import { placeByHand, retryPlacing } from './place-by-hand.js';
import type { UnknownCount } from './scan-changes.js';
import type { Outbound } from './store-tracks.js';
import {
  claimSubmission,
  findSubmissionResults,
  lockLiveAssets,
  locationIsLive,
  type ResolvedRead,
  resolveSubmittedReads,
  saveSubmissionResults,
  submissionInstants,
} from './submit-queries.js';

const dayMs = 86_400_000;

/**
 * Places the assets that a handheld scanned at a location, and returns a result for each read in order. A submission id
 * that was stored before gets the same answer again, even with other reads.
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
  { input, record }: AcceptedSubmission,
): Promise<{ results: SubmitResult[] }> {
  await locating.prepare([orgId]);
  const { eventRetentionDays: retentionDays, baseUrl } = settings;
  const submission = { input, retentionDays, baseUrl, locating, outbound: { interests, userId } };
  const { results, isNew } = await retryPlacing(() => submit(db, orgId, { ...submission, ...(record && { record }) }));
  if (isNew) {
    readCounters.submitted(orgId, input.reads.length);
    scanCaps.submissions.counted(new Map([[orgId, 1]]));
    const unknown = results.filter(({ status }) => status === 'unknown').length;
    if (unknown > 0) scanCaps.unknownTags.counted(new Map([[orgId, unknown]]));
  }
  return { results };
}

type Submission = AcceptedSubmission & {
  retentionDays: number;
  baseUrl: string;
  locating: LocatingKnowledge;
  outbound: Outbound;
};

/**
 * Stores a submission. If two submissions have the same id, the second one waits at the claim. It then finds the
 * results of the first one, or nothing if the first one failed.
 */
async function submit(
  db: Database,
  orgId: number,
  submission: Submission,
): Promise<{ results: SubmitResult[]; isNew: boolean }> {
  return db.$transaction(async (tx) => {
    const { submission_id: submissionId } = submission.input;
    if (!(await claimSubmission(tx, orgId, submissionId))) {
      return { results: await findSubmissionResults(tx, orgId, submissionId), isNew: false };
    }
    const resolved = await resolveSubmission(tx, orgId, submission);
    await submission.record?.(tx, resolved);
    const results = await placeResolved(tx, orgId, { ...submission, resolved });
    await saveSubmissionResults(tx, orgId, { submissionId, results });
    return { results, isNew: true };
  });
}

/** What the reads of a submission are attached to, in order, and the live assets among them, locked until the end. */
export type ResolvedSubmission = { reads: ResolvedRead[]; assetIds: number[] };

/**
 * Finds what reads are attached to. Locks the organization's tree and the assets until the end of the transaction.
 *
 * @throws ContractError `validation_error` if there is no such location
 */
async function resolveSubmission(
  tx: TransactionClient,
  orgId: number,
  { input: { location_id: locationId, reads }, baseUrl }: Pick<Submission, 'input' | 'baseUrl'>,
): Promise<ResolvedSubmission> {
  await tx.$queryRaw(sharedLockStatement('tree', orgId));
  if (!(await locationIsLive(tx, orgId, locationId))) {
    const message = `location_id ${locationId} not found`;
    throw validationError([{ field: 'location_id', code: 'fk_not_found', message }]);
  }
  const resolved = await resolveSubmittedReads(tx, orgId, { reads, baseUrl });
  const named = resolved.flatMap(({ assetId }) => (assetId === null ? [] : [assetId]));
  return { reads: resolved, assetIds: await lockLiveAssets(tx, orgId, [...new Set(named)]) };
}

/**
 * Places the assets of a submission at its location, and counts values that are not attached to anything. Returns a
 * result for each read.
 */
async function placeResolved(
  tx: TransactionClient,
  orgId: number,
  { input, retentionDays, locating, outbound, resolved }: Submission & { resolved: ResolvedSubmission },
): Promise<SubmitResult[]> {
  const { location_id: locationId, reads } = input;
  const { assetIds } = resolved;
  const { nowMs, retentionBeginMs } = await submissionInstants(tx, retentionDays * dayMs);
  const observedAtMs = observedOr(nowMs, input.observed_at, retentionBeginMs);
  const unknown = reads.filter((read, index) => read.value !== undefined && resolved.reads[index]?.isKnown === false);
  await placeByHand(tx, orgId, {
    ...{ assetIds, locationId, observedAtMs, receivedAtMs: nowMs, locating, outbound },
    unknown: countsOf(orgId, unknown, observedAtMs),
  });
  const placed = new Set(assetIds);
  return resolved.reads.map(({ assetId }) =>
    assetId !== null && placed.has(assetId) ? { status: 'placed', asset_id: assetId } : { status: 'unknown' },
  );
}

/** Replaces a time in the future, or before the retention of events, with the time of receipt. */
function observedOr(nowMs: number, observedAtMs: number | undefined, retentionBeginMs: number): number {
  return observedAtMs === undefined || observedAtMs > nowMs || observedAtMs < retentionBeginMs ? nowMs : observedAtMs;
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
