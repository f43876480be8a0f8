import { problemOf } from '../api/errors.js';
import type { Batch, SubmitResult } from './batch.js';
import { batchesOf, changeBatch, forgetOldSent } from './batches.js';
import type { ScanStore } from './store.js';

export type SenderOptions = {
  store: ScanStore;
  owner: string;
  submit: (batch: Batch) => Promise<SubmitResult[]>;
  /** Whether the session is still that of the owner. */
  isOwner: () => boolean;
  /** Called when a batch has changed. */
  onChange: () => void;
};

/** The result of sending: nothing is left to send, or it has to be repeated. */
export type Sent = 'done' | 'later';

/** The service has decided, and would decide the same again. */
const refusals = new Set([
  'validation_error',
  'bad_request',
  'forbidden',
  'not_found',
  'payload_too_large',
  'conflict',
]);
/** After so many faults of the service a batch no longer holds up what comes after it. */
const failuresMax = 3;

/**
 * Sends what waits, in the order in which it was scanned; of several tabs one at a time. A batch whose answer did not come
 * stays, and is sent again under its id.
 */
export async function sendWaiting(options: SenderOptions): Promise<Sent> {
  const { owner } = options;
  if (!('locks' in navigator)) return sendAll(options);
  return navigator.locks.request(`whereabouts-scans-of-${owner}`, () => sendAll(options));
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

/** Returns whether it is over with this batch, one way or the other. */
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
    // A session that changed hands meanwhile was refused for another organization.
    const isRefused = refusals.has(problem.type) && isOwner();
    const failures = batch.state === 'waiting' && problem.type === 'internal_error' ? batch.failures + 1 : 0;
    // A batch that is rejected for its content was not stored before; one that is rejected for missing permission may have been.
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

function partsOf({ id, owner, place, reads, observedAt, maybeStored, audit }: Batch) {
  return { id, owner, place, reads, observedAt, maybeStored, ...(audit && { audit }) };
}

function whereWaiting(change: Partial<Pick<Batch, 'maybeStored'>>) {
  return (batch: Batch): Batch | undefined => (batch.state === 'waiting' ? { ...batch, ...change } : undefined);
}
