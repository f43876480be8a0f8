import type { Context } from '../../context.js';
import type { ContainerName } from '../../kernel/database/containers.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { storeOnce } from '../../kernel/database/submissions.js';
import type { Author } from '../../people/activity/author.js';
import { inBatch, recordBatch } from '../../people/activity/batches.js';
import { sessionProcedure } from '../../trpc.js';
import { retryPlacing } from '../scans/place-by-hand.js';
import type { SubmitResult } from '../scans/schemas.js';
import { lastLocationIn, placeResolved, submissionTimes } from '../scans/submit.js';
import { lockLiveAssets, type ResolvedRead, resolveSubmittedReads } from '../scans/submit-queries.js';
import {
  bringBack,
  type ChangeScope,
  lockContainments,
  putIn,
  type PutInResult,
  takeOut,
  type TakenOutResult,
} from './change.js';
import { findAssetContainments, nameOfContainer } from './change-queries.js';
import { putInInput, submitInput, type SubmitInput, takeOutInput, undoPutInInput } from './schemas.js';

type ByPerson = ChangeScope & { author: Author };

type Caller = { services: Context['services']; orgId: number; author: Author; actor: { userId: number } };

/** Runs a change of containments that are locked, and again if another transaction was faster. */
export async function changeContainments<Result>(
  { services, orgId, author, actor: { userId } }: Caller,
  work: (tx: TransactionClient, scope: ByPerson) => Promise<Result>,
): Promise<Result> {
  const { db, eventInterests: interests } = services;
  return retryPlacing(() =>
    db.$transaction(async (tx) => {
      await lockContainments(tx, orgId);
      return work(tx, { orgId, author, outbound: { interests, userId } });
    }),
  );
}

type Changed = PutInResult | TakenOutResult;

/**
 * Changes containments that are locked, as one batch of the activity log if there are several assets.
 *
 * @param containerId what is in it already is not changed
 */
async function changeTogether<Result extends Changed>(
  tx: TransactionClient,
  scope: ByPerson,
  { assetIds, containerId, change }: Together<Result>,
): Promise<Result[]> {
  if (assetIds.length < 2) return change(scope);
  const author = inBatch(scope.author);
  const results = await change({ ...scope, author });
  const changed = new Set(
    results.flatMap((result) => (result.status === 'done' && result.was_in?.id !== containerId ? result.asset_id : [])),
  );
  const batch = { kind: 'edit', objectKind: 'asset', fields: ['container'], count: changed.size } as const;
  await recordBatch(tx, { orgId: scope.orgId, author }, batch);
  return results;
}

type Together<Result> = {
  assetIds: readonly number[];
  containerId?: number;
  change: (scope: ByPerson) => Promise<Result[]>;
};

/** Puts assets into a container and places them there. The failure of one does not affect the others. */
export const putAssetsIn = sessionProcedure('operator')
  .input(putInInput)
  .mutation(async ({ ctx, input }): Promise<{ results: PutInResult[] }> => {
    const putting = { containerId: input.container_id, assetIds: input.asset_ids };
    const results = await changeContainments(ctx, (tx, scope) =>
      changeTogether(tx, scope, { ...putting, change: (together) => putIn(tx, together, putting) }),
    );
    return { results };
  });

/** Takes assets out of their containers; they stay where they are. */
export const takeAssetsOut = sessionProcedure('operator')
  .input(takeOutInput)
  .mutation(async ({ ctx, input }): Promise<{ results: TakenOutResult[] }> => {
    const { asset_ids: assetIds, container_id: containerId } = input;
    const leaving = { assetIds, ...(containerId !== undefined && { containerId }) };
    const results = await changeContainments(ctx, (tx, scope) =>
      changeTogether(tx, scope, { assetIds, change: (together) => takeOut(tx, together, leaving) }),
    );
    return { results };
  });

/**
 * Takes back what was put into a container: each asset that is still in it goes back into the container that it was in, or is in
 * none. Others fail with `changed_since`. Nothing is placed elsewhere by the ones that are then in none.
 */
export const undoPutIn = sessionProcedure('operator')
  .input(undoPutInInput)
  .mutation(async ({ ctx, input }): Promise<{ results: Changed[] }> => {
    const results = await changeContainments(ctx, async (tx, scope) => {
      const ids = input.items.map(({ asset_id: id }) => id);
      const contained = new Map(
        (await findAssetContainments(tx, ctx.orgId, ids)).map((row) => [row.asset_id, row.was_in?.id]),
      );
      const still = input.items.filter(({ asset_id: id }) => contained.get(id) === input.container_id);
      const containers = still.flatMap(({ was_in_id: id }) => id ?? []);
      const live = new Set(await lockLiveAssets(tx, ctx.orgId, [...ids, ...containers]));
      const returns = still.map(
        ({ asset_id: id, was_in_id: wasIn }) => [id, live.has(wasIn ?? 0) ? wasIn : null] as const,
      );
      const outcomes = await changeTogether(tx, scope, {
        assetIds: still.map(({ asset_id: id }) => id),
        change: async (together) => [...(await bringBack(tx, together, new Map(returns))).values()],
      });
      const byAsset = new Map(outcomes.map((outcome) => [outcome.asset_id, outcome]));
      return ids.map((id) => byAsset.get(id) ?? ({ asset_id: id, status: 'failed', reason: 'changed_since' } as const));
    });
    return { results };
  });

/** The result of a read; one that names a location, or follows such a read, has that of `scans.submit`. */
type SubmittedResult = Changed | SubmitResult;

export type SubmittedResults = { container: ContainerName | null; results: SubmittedResult[] };

/**
 * Puts what a handheld scanned into a container, or takes it out of its containers if there is none. What was scanned after the
 * tag of a location is placed there, and neither put in nor taken out. A submission id that was stored before gets the same answer
 * again. If the value of the container names no asset, `container` is null and nothing is put in.
 *
 * @throws ContractError `not_found` if the chosen container does not exist
 */
export const submitPutIn = sessionProcedure('operator')
  .input(submitInput)
  .mutation(async ({ ctx, input }): Promise<SubmittedResults> => {
    const beganMs = performance.now();
    const { orgId } = ctx;
    const { submission_id: submissionId } = input;
    const { settings, locating, scanCaps } = ctx.services;
    await locating.prepare([orgId]);
    const submission = { input, beganMs, settings, locating };
    const { results, isNew } = await changeContainments(ctx, (tx, scope) =>
      storeOnce(tx, orgId, { submissionId, store: () => submit(tx, scope, submission) }),
    );
    if (isNew) {
      scanCaps.submissions.counted(new Map([[orgId, 1]]));
      const unknown = results.results.filter(({ status }) => status === 'unknown').length;
      if (unknown > 0) scanCaps.unknownTags.counted(new Map([[orgId, unknown]]));
    }
    return results;
  });

type Submission = { input: SubmitInput; beganMs: number } & Pick<Context['services'], 'settings' | 'locating'>;

async function submit(
  tx: TransactionClient,
  scope: ByPerson,
  { input, beganMs, settings, locating }: Submission,
): Promise<SubmittedResults> {
  const { orgId, outbound } = scope;
  const { container: scanned, reads, location_values: values = [] } = input;
  const { eventRetentionDays: retentionDays, baseUrl } = settings;
  const all = await resolveSubmittedReads(tx, orgId, {
    reads: [...reads, ...values.map((value) => ({ value })), ...(scanned ? [scanned] : [])],
    baseUrl,
  });
  const containerId = scanned ? (all.pop()?.assetId ?? null) : null;
  const resolved = all.slice(0, reads.length);
  const beginsAt = lastLocationIn(all.slice(reads.length));
  const firstAfter = beginsAt === null ? resolved.findIndex(({ locationId }) => locationId !== null) : 0;
  const insideCount = firstAfter < 0 ? reads.length : firstAfter;
  const [inside, after] = [resolved.slice(0, insideCount), resolved.slice(insideCount)];
  const { observedAtMs } = await submissionTimes(tx, { input, beganMs, retentionDays });
  const outcomes = new Map<number, Changed>();
  const assetIds = idsOf(inside);
  // What is scanned at locations later is placed at later times.
  const changing = {
    assetIds,
    observedAtMs: observedAtMs - after.filter(({ locationId }) => locationId !== null).length,
  };
  if (containerId !== null && inside.length > 0) {
    const change = (together: typeof scope) => putIn(tx, together, { containerId, ...changing });
    const results = await changeTogether(tx, scope, { assetIds, containerId, change });
    for (const result of results) outcomes.set(result.asset_id, result);
  } else if (scanned === null) {
    const change = (together: typeof scope) => takeOut(tx, together, changing);
    for (const result of await changeTogether(tx, scope, { assetIds, change })) outcomes.set(result.asset_id, result);
  }
  // Of the reads before the first location, only the unknown values are counted.
  const placed = await placeResolved(tx, orgId, {
    input: { reads, observed_at: observedAtMs },
    resolved: {
      reads: [...inside.map((read) => ({ ...read, assetId: null })), ...after],
      beginsAt: beginsAt ?? 0,
      assetIds: await lockLiveAssets(tx, orgId, idsOf(after)),
    },
    beganMs,
    retentionDays,
    locating,
    outbound,
  });
  return {
    container: containerId === null ? null : await nameOfContainer(tx, orgId, containerId),
    results: placed.map((result, index) => outcomes.get(inside[index]?.assetId ?? 0) ?? result),
  };
}

function idsOf(reads: readonly ResolvedRead[]): number[] {
  return [...new Set(reads.flatMap(({ assetId }) => assetId ?? []))];
}
