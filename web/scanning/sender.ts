import { problemOf } from '../api/errors.js';
import { secureOnly } from '../browser/secure-context.js';
import { type Batch, isScanBatch, type SubmitResult } from './batch.js';
import { batchesOf, changeBatch, forgetOldSent } from './batches.js';
import type { ScanStore } from './store.js';

export type SenderOptions = {
  store: ScanStore;
  owner: string;
  submit: (batch: Batch) => Promise<SubmitResult[]>;
  /** Whether the session still belongs to the owner. */
  isOwner: () => boolean;
  /** Called when a batch has changed. */
  onChange: () => void;
};

/** The result of sending: nothing is left to send, or it has to be repeated. */
export type Sent = 'done' | 'later';

/** Errors with which the service would answer again if the batch was repeated. */
const refusals = new Set([
  'validation_error',
  'bad_request',
  'forbidden',
  'not_found',
  'payload_too_large',
  'conflict',
]);
/** After this many faults of the service, a batch no longer holds up the batches behind it. */
const failuresMax = 3;

/**
 * Sends the waiting batches in the order in which they were scanned; only one tab sends at a time. A batch without an
 * answer stays, and is sent again with the same id.
 */
export async function sendWaiting(options: SenderOptions): Promise<Sent> {
  const { owner } = options;
  const { locks } = secureOnly;
  if (!locks) return sendAll(options);
  return locks.request(`whereabouts-scans-of-${owner}`, () => sendAll(options));
}

async function sendAll(options: SenderOptions): Promise<Sent> {
  const { store, owner, isOwner } = options;
  for (;;) {
    const next = (await batchesOf(store, owner)).find(({ state }) => state === 'waiting');
    if (!next) return 'done';
    if (!isOwner()) return 'later';
    const batch = await changeBatch(store, next.id, whereWaiting({ maybeStored: true }));
    if (batch && !(await sendOne(options, batch))) return 'later';
  }
}

/** Returns whether the batch is finished, accepted or refused. */
async function sendOne(options: SenderOptions, batch: Batch): Promise<boolean> {
  const { store, owner, isOwner, onChange } = options;
  try {
    const results = await options.submit(batch);
    const sentAt = new Date().toISOString();
    await changeBatch(store, batch.id, (now) => ({ ...partsOf(now), state: 'sent', sentAt, results }));
    await forgetOldSent({ store, owner });
    return true;
  } catch (error) {
    const problem = problemOf(error);
    const words = problem.fields[0]?.message ?? problem.detail;
    // If the session has changed to another person or organization meanwhile, the refusal was for that organization.
    const isRefused = refusals.has(problem.type) && isOwner();
    const failures = batch.state === 'waiting' && problem.type === 'internal_error' ? batch.failures + 1 : 0;
    // If a batch is rejected for its content, it was not stored before; if it is rejected for missing permission, it
    // may have been.
    const isSure = isRefused && problem.type === 'validation_error';
    const isOver = isRefused || failures >= failuresMax;
    await changeBatch(store, batch.id, (now) =>
      isOver
        ? { ...partsOf(now), maybeStored: !isSure, state: 'refused', problem: words }
        : { ...partsOf(now), state: 'waiting', failures, problem: words },
    );
    return isOver;
  } finally {
    onChange();
  }
}

function partsOf(batch: Batch) {
  const { id, owner, reads, observedAt, maybeStored } = batch;
  const base = { id, owner, reads, observedAt, maybeStored };
  if (!isScanBatch(batch)) return { ...base, report: batch.report };
  const { place, placeTags, audit } = batch;
  return { ...base, place, ...(placeTags && { placeTags }), ...(audit && { audit }) };
}

function whereWaiting(change: Partial<Pick<Batch, 'maybeStored'>>) {
  return (batch: Batch): Batch | undefined => (batch.state === 'waiting' ? { ...batch, ...change } : undefined);
}
