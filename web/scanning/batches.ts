import { monotonicFactory } from 'ulid';
import {
  type Batch,
  type BatchAudit,
  type BatchRead,
  batchReadsMax,
  isSamePlace,
  isScanBatch,
  readKey,
  type ReportBatch,
  type ScanBatch,
  type ScanPlace,
} from './batch.js';
import type { ScanStore } from './store.js';

const sentKept = 10;

const makeId = monotonicFactory();

/** The outcome of adding a read to the open batch. */
export type Added = 'added' | 'duplicate' | 'full' | 'nowhere';

function newBatch(owner: string, location: ScanPlace, reads: readonly BatchRead[]): ScanBatch {
  const observedAt = new Date().toISOString();
  return { id: makeId(), owner, place: location, reads: [...reads], observedAt, maybeStored: false, state: 'open' };
}

/** Returns the batch that is being scanned, if any. */
export function openOf(batches: readonly Batch[]): ScanBatch | undefined {
  return batches.filter(isScanBatch).find(({ state }) => state === 'open');
}

/**
 * Returns the values that are unknown to this device in the order of their scans: before the reads of a batch, and among
 * them. If one of them names a location, the next scans are there.
 */
export function unknownIn({ reads, placeTags = [] }: ScanBatch): string[] {
  return [...placeTags, ...reads.flatMap((read) => ('value' in read && read.isUnknown ? [read.value] : []))];
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
  change: (open: ScanBatch | undefined) => [next: ScanBatch | null | undefined, result: Result],
): Promise<Result> {
  const tx = store.transaction('batches', 'readwrite');
  const open = openOf(await tx.store.index('owner').getAll(owner));
  const [next, result] = change(open);
  if (next) await tx.store.put(next);
  else if (next === null && open) await tx.store.delete(open.id);
  await tx.done;
  return result;
}

type Mine = { store: ScanStore; owner: string };

/** Continues at a location. Returns false if there are scans of another location. */
export async function openAt(mine: Mine, location: ScanPlace): Promise<boolean> {
  return changeOpen(mine, (open) => {
    if (open && open.reads.length > 0) return [undefined, isSamePlace(open.place, location)];
    const next = newBatch(mine.owner, location, []);
    return [open ? { ...next, id: open.id } : next, true];
  });
}

/** Moves the scans to another location. */
export async function moveOpen(mine: Mine, location: ScanPlace): Promise<void> {
  await changeOpen(mine, (open) => [open && { ...withoutPlaceTags(open), place: location }, undefined]);
}

function withoutPlaceTags({ placeTags: _, ...batch }: ScanBatch): ScanBatch {
  return batch;
}

/** Notes that the person is at the location of the scans now. */
export async function confirmOpen(mine: Mine): Promise<void> {
  await changeOpen(mine, (open) => [open && { ...open, observedAt: new Date().toISOString() }, undefined]);
}

function indexOfUnknown({ reads }: ScanBatch, value: string): number {
  return reads.findIndex((read) => 'value' in read && read.isUnknown && read.value === value);
}

/**
 * Notes what an unknown value names, now that it is known. If it names a location, the reads before it are sent to
 * their location, and the reads after it are at this one.
 */
export async function settleOpen(
  { store, owner }: Mine,
  value: string,
  location: ScanPlace | undefined,
): Promise<void> {
  const tx = store.transaction('batches', 'readwrite');
  const open = openOf(await tx.store.index('owner').getAll(owner));
  const placeTags = open?.placeTags ?? [];
  const [before, at] = [placeTags.lastIndexOf(value), open ? indexOfUnknown(open, value) : -1];
  if (open && before >= 0) {
    const left = location ? placeTags.slice(before + 1) : placeTags.filter((tag) => tag !== value);
    const next = { ...withoutPlaceTags(open), place: location ?? open.place };
    await tx.store.put({ ...next, ...(left.length > 0 && { placeTags: left }) });
  } else if (open && at >= 0 && !location) {
    await tx.store.put({ ...open, reads: open.reads.with(at, { value }) });
  } else if (open && at >= 0 && location) {
    if (at === 0) await tx.store.delete(open.id);
    else await tx.store.put({ ...open, reads: open.reads.slice(0, at), state: 'waiting', failures: 0 });
    const after = newBatch(owner, location, open.reads.slice(at + 1));
    await tx.store.put({ ...after, observedAt: open.observedAt });
  }
  await tx.done;
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

/**
 * Queues the scans, and continues with an empty batch at the same location, or at `next`. The same location is the one
 * that an unknown value names, if there is such a value.
 */
export async function closeOpen({ store, owner }: Mine, next?: ScanPlace): Promise<void> {
  const tx = store.transaction('batches', 'readwrite');
  const open = openOf(await tx.store.index('owner').getAll(owner));
  const isSent = open !== undefined && open.reads.length > 0;
  if (open && isSent) await tx.store.put({ ...open, state: 'waiting', failures: 0 });
  if (next) {
    if (open && !isSent) await tx.store.delete(open.id);
    await tx.store.put(newBatch(owner, next, []));
  } else if (open && isSent) {
    const placeTags = unknownIn(open).slice(-batchReadsMax);
    // Sending is no scan: it does not confirm that the person is there.
    const empty = { ...newBatch(owner, open.place, []), observedAt: open.observedAt };
    await tx.store.put({ ...empty, ...(placeTags.length > 0 && { placeTags }) });
  }
  await tx.done;
}

/** Queues a batch that was collected elsewhere. */
export async function addWaiting(
  { store, owner }: Mine,
  { place, reads, audit }: { place: ScanPlace; reads: readonly BatchRead[]; audit?: BatchAudit },
): Promise<string> {
  const batch = { ...newBatch(owner, place, reads), ...(audit && { audit }) };
  await store.put('batches', { ...batch, state: 'waiting', failures: 0 });
  return batch.id;
}

export type NewReport = {
  id: string;
  asset: { id: number; name: string };
  text: string;
  /** Whether it was sent already, and no answer came. */
  maybeStored: boolean;
};

/** Queues a problem of an asset. */
export async function addReport({ store, owner }: Mine, { id, asset, text, maybeStored }: NewReport): Promise<void> {
  const batch: ReportBatch = {
    id,
    owner,
    report: { text },
    reads: [{ assetId: asset.id, name: asset.name }],
    observedAt: new Date().toISOString(),
    maybeStored,
    state: 'waiting',
    failures: 0,
  };
  await store.put('batches', batch);
}

/**
 * Reopens a batch for scanning. Returns false if another open batch has reads, or this batch may have been stored by
 * the service.
 */
export async function reopen({ store, owner }: Mine, id: string): Promise<boolean> {
  const tx = store.transaction('batches', 'readwrite');
  const all = await tx.store.index('owner').getAll(owner);
  const batch = all.find((one) => one.id === id);
  const open = openOf(all);
  // An audit cannot be edited like a list of scans: it is sent unchanged, or discarded.
  const canChange =
    batch &&
    isScanBatch(batch) &&
    !batch.audit &&
    !batch.maybeStored &&
    (batch.state === 'waiting' || batch.state === 'refused');
  if (!batch || !canChange || (open && open.reads.length > 0)) return false;
  if (open) await tx.store.delete(open.id);
  const { place, placeTags, reads, observedAt } = batch;
  const tags = placeTags ? { placeTags } : {};
  await tx.store.put({ id, owner, place, ...tags, reads, observedAt, maybeStored: false, state: 'open' });
  await tx.done;
  return true;
}

/** The last few sent batches are kept for display. */
export async function forgetOldSent({ store, owner }: Mine): Promise<void> {
  const sent = (await batchesOf(store, owner)).filter(({ state }) => state === 'sent');
  for (const { id } of sent.slice(0, -sentKept)) await store.delete('batches', id);
}
