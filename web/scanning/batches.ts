import { monotonicFactory } from 'ulid';
import { type Batch, type BatchAudit, type BatchRead, batchReadsMax, type ScanLocation, readKey } from './batch.js';
import type { ScanStore } from './store.js';

const sentKept = 10;

const makeId = monotonicFactory();

/** The outcome of adding a read to the open batch. */
export type Added = 'added' | 'duplicate' | 'full' | 'nowhere';

function newBatch(owner: string, location: ScanLocation, reads: readonly BatchRead[]): Batch {
  const observedAt = new Date().toISOString();
  return { id: makeId(), owner, place: location, reads: [...reads], observedAt, maybeStored: false, state: 'open' };
}

export async function batchesOf(store: ScanStore, owner: string): Promise<Batch[]> {
  return store.getAllFromIndex('batches', 'owner', owner);
}

/**
 * Changes the stored batch in one transaction, so that two tabs do not overwrite each other's changes. `change` returns
 * the new batch, null to delete it, or undefined to leave it unchanged.
 */
export async function changeBatch(
  store: ScanStore,
  id: string,
  change: (batch: Batch) => Batch | null | undefined,
): Promise<Batch | undefined> {
  const tx = store.transaction('batches', 'readwrite');
  const batch = await tx.store.get(id);
  const next = batch && change(batch);
  if (next) await tx.store.put(next);
  else if (next === null) await tx.store.delete(id);
  await tx.done;
  return next ?? undefined;
}

/** Changes the batch that is being scanned. There is at most one; `change` gets undefined if there is none. */
async function changeOpen<Result>(
  { store, owner }: { store: ScanStore; owner: string },
  change: (open: Batch | undefined) => [next: Batch | null | undefined, result: Result],
): Promise<Result> {
  const tx = store.transaction('batches', 'readwrite');
  const open = (await tx.store.index('owner').getAll(owner)).find(({ state }) => state === 'open');
  const [next, result] = change(open);
  if (next) await tx.store.put(next);
  else if (next === null && open) await tx.store.delete(open.id);
  await tx.done;
  return result;
}

type Mine = { store: ScanStore; owner: string };

/** Continues at a location. Returns false if there are scans of another location. */
export async function openAt(mine: Mine, location: ScanLocation): Promise<boolean> {
  return changeOpen(mine, (open) => {
    if (open && open.reads.length > 0 && open.place.id !== location.id) return [undefined, false];
    return [open ? { ...open, place: location } : newBatch(mine.owner, location, []), true];
  });
}

/** Moves the scans to another location. */
export async function moveOpen(mine: Mine, location: ScanLocation): Promise<void> {
  await changeOpen(mine, (open) => [open && { ...open, place: location }, undefined]);
}

export async function addRead(mine: Mine, read: BatchRead): Promise<Added> {
  return changeOpen<Added>(mine, (open) => {
    if (!open) return [undefined, 'nowhere'];
    if (open.reads.some((other) => readKey(other) === readKey(read))) return [undefined, 'duplicate'];
    if (open.reads.length >= batchReadsMax) return [undefined, 'full'];
    return [{ ...open, reads: [...open.reads, read], observedAt: new Date().toISOString() }, 'added'];
  });
}

export async function removeRead(mine: Mine, key: string): Promise<void> {
  await changeOpen(mine, (open) => [
    open && { ...open, reads: open.reads.filter((read) => readKey(read) !== key) },
    undefined,
  ]);
}

export async function clearOpen(mine: Mine): Promise<void> {
  await changeOpen(mine, (open) => [open && { ...open, reads: [] }, undefined]);
}

/** Queues the scans, and continues with an empty batch at the same location, or at `next`. */
export async function closeOpen({ store, owner }: Mine, next?: ScanLocation): Promise<void> {
  const tx = store.transaction('batches', 'readwrite');
  const open = (await tx.store.index('owner').getAll(owner)).find(({ state }) => state === 'open');
  if (open && open.reads.length > 0) {
    await tx.store.put({ ...open, state: 'waiting', failures: 0 });
    await tx.store.put(newBatch(owner, next ?? open.place, []));
  } else if (next) {
    await tx.store.put(open ? { ...open, place: next } : newBatch(owner, next, []));
  }
  await tx.done;
}

/** Queues a batch that was collected elsewhere. */
export async function addWaiting(
  { store, owner }: Mine,
  { place, reads, audit }: { place: ScanLocation; reads: readonly BatchRead[]; audit?: BatchAudit },
): Promise<string> {
  const batch = { ...newBatch(owner, place, reads), ...(audit && { audit }) };
  await store.put('batches', { ...batch, state: 'waiting', failures: 0 });
  return batch.id;
}

/**
 * Reopens a batch for scanning. Returns false if another open batch has reads, or this batch may have been stored by
 * the service.
 */
export async function reopen({ store, owner }: Mine, id: string): Promise<boolean> {
  const tx = store.transaction('batches', 'readwrite');
  const all = await tx.store.index('owner').getAll(owner);
  const batch = all.find((one) => one.id === id);
  const open = all.find(({ state }) => state === 'open');
  // An audit cannot be edited like a list of scans: it is sent unchanged, or discarded.
  const canChange =
    batch && !batch.audit && !batch.maybeStored && (batch.state === 'waiting' || batch.state === 'refused');
  if (!batch || !canChange || (open && open.reads.length > 0)) return false;
  if (open) await tx.store.delete(open.id);
  const { place, reads, observedAt } = batch;
  await tx.store.put({ id, owner, place, reads, observedAt, maybeStored: false, state: 'open' });
  await tx.done;
  return true;
}

/** The last few sent batches are kept for display. */
export async function forgetOldSent({ store, owner }: Mine): Promise<void> {
  const sent = (await batchesOf(store, owner)).filter(({ state }) => state === 'sent');
  for (const { id } of sent.slice(0, -sentKept)) await store.delete('batches', id);
}
