import type { Database, TransactionClient } from '../database/client.js';
import { sharedLockStatement } from '../database/locks.js';
import { validationError } from '../errors.js';
import { sessionProcedure } from '../trpc.js';
import { type SubmitInput, type SubmitResult, submitInput } from './schemas.js';
import type { LocatingKnowledge } from './locating-knowledge.js';
import { placeByHand, retryPlacing } from './place-by-hand.js';
import type { UnknownCount } from './scan-changes.js';
import type { Outbound } from './store-tracks.js';
import {
  claimSubmission,
  findSubmissionResults,
  holdAssets,
  locationIsLive,
  resolveSubmittedReads,
  saveSubmissionResults,
  submissionInstants,
} from './submit-queries.js';

const dayMs = 86_400_000;

/**
 * Places what a handheld saw at a location, and answers for each read in its order. A submission id that was stored
 * before is answered as it was then, whatever else is sent with it.
 */
export const submitScans = sessionProcedure('operator')
  .input(submitInput)
  .mutation(async ({ ctx, input }): Promise<{ results: SubmitResult[] }> => {
    const { db, settings, readCounters, locating, eventInterests: interests, scanCaps } = ctx.services;
    await locating.prepare([ctx.orgId]);
    const outbound = { interests, userId: ctx.actor.userId };
    const submission = { input, retentionDays: settings.eventRetentionDays, locating, outbound };
    const { results, isNew } = await retryPlacing(() => submit(db, ctx.orgId, submission));
    if (isNew) {
      readCounters.submitted(ctx.orgId, input.reads.length);
      scanCaps.submissions.counted(new Map([[ctx.orgId, 1]]));
      const unknown = results.filter(({ status }) => status === 'unknown').length;
      if (unknown > 0) scanCaps.unknownTags.counted(new Map([[ctx.orgId, unknown]]));
    }
    return { results };
  });

type Submission = { input: SubmitInput; retentionDays: number; locating: LocatingKnowledge; outbound: Outbound };

/** Of two submissions with one id the second waits at the claim, and finds the first one's results or nothing. */
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
    const results = await place(tx, orgId, submission);
    await saveSubmissionResults(tx, orgId, { submissionId, results });
    return { results, isNew: true };
  });
}

async function place(tx: TransactionClient, orgId: number, submission: Submission): Promise<SubmitResult[]> {
  const { input, retentionDays } = submission;
  const { location_id: locationId, reads } = input;
  await tx.$queryRaw(sharedLockStatement('tree', orgId));
  if (!(await locationIsLive(tx, orgId, locationId))) {
    const message = `location_id ${locationId} not found`;
    throw validationError([{ field: 'location_id', code: 'fk_not_found', message }]);
  }
  const resolved = await resolveSubmittedReads(tx, orgId, reads);
  const named = resolved.flatMap(({ assetId }) => (assetId === null ? [] : [assetId]));
  const assetIds = await holdAssets(tx, orgId, [...new Set(named)]);
  const { nowMs, retentionBeginMs } = await submissionInstants(tx, retentionDays * dayMs);
  const observedAtMs = observedOr(nowMs, input.observed_at, retentionBeginMs);
  const unknown = reads.filter((read, index) => read.value !== undefined && resolved[index]?.isKnownTag === false);
  await placeByHand(tx, orgId, {
    ...{
      assetIds,
      locationId,
      observedAtMs,
      receivedAtMs: nowMs,
      locating: submission.locating,
      outbound: submission.outbound,
    },
    unknown: countsOf(orgId, unknown, observedAtMs),
  });
  const placed = new Set(assetIds);
  return resolved.map(({ assetId }) =>
    assetId !== null && placed.has(assetId) ? { status: 'placed', asset_id: assetId } : { status: 'unknown' },
  );
}

/** A time that is still to come, or of which the events are gone, becomes the time of receipt. */
function observedOr(nowMs: number, observedAtMs: number | undefined, retentionBeginMs: number): number {
  return observedAtMs === undefined || observedAtMs > nowMs || observedAtMs < retentionBeginMs ? nowMs : observedAtMs;
}

/** Values that belong to nothing, counted without a reader, once for each time that they were submitted. */
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
