import type { Api } from '../api/trpc.js';
import { batchesOf, closeOpen } from './batches.js';
import { forgetLocationTags } from './location-tags.js';
import { sendWaiting } from './sender.js';
import { openScanStore, type ScanStore } from './store.js';
import { submitBatch } from './submit-batch.js';

async function withStore<Result>(task: (store: ScanStore) => Promise<Result>): Promise<Result> {
  const store = await openScanStore();
  try {
    return await task(store);
  } finally {
    store.close();
  }
}

async function countUnsent(store: ScanStore, owner: string): Promise<number> {
  const unsent = (await batchesOf(store, owner)).filter(({ state }) => state !== 'sent');
  return unsent.reduce((sum, { reads }) => sum + reads.length, 0);
}

/** Returns how many scanned items of an owner this device keeps that the service has not accepted. */
export async function unsentScans(owner: string): Promise<number> {
  return withStore((store) => countUnsent(store, owner));
}

/**
 * Sends all scans, including the open batch. Returns how many items are left, because there is no network or the
 * service refused them.
 */
export async function sendUnsentScans(api: Api, owner: string): Promise<number> {
  return withStore(async (store) => {
    await closeOpen({ store, owner });
    const submit = (batch: Parameters<typeof submitBatch>[1]) => submitBatch(api, batch);
    await sendWaiting({ store, owner, submit, isOwner: () => true, onChange: () => {} });
    return countUnsent(store, owner);
  });
}

/** Deletes the locations that this device keeps for an owner. */
export async function forgetLocations(owner: string): Promise<void> {
  await withStore((store) => forgetLocationTags(store, [owner, `${owner}\u0000`]));
}

/**
 * Deletes the names that this device remembers for a person: names of scanned values, locations and their tags, assets
 * and sent scans.
 */
export async function forgetNames(userId: number): Promise<void> {
  // An owner is the person's id, a slash and the organization's id; '0' is the character after the slash.
  const [first, end] = [`${userId}/`, `${userId}0`];
  await withStore(async (store) => {
    const tx = store.transaction(['values', 'places', 'seen', 'batches'], 'readwrite');
    await tx.objectStore('values').delete(IDBKeyRange.bound([first], [end], false, true));
    await tx.objectStore('seen').delete(IDBKeyRange.bound([first], [end], false, true));
    await tx.objectStore('places').delete(IDBKeyRange.bound([first], [end], false, true));
    const mine = IDBKeyRange.bound(first, end, false, true);
    let cursor = await tx.objectStore('batches').index('owner').openCursor(mine);
    while (cursor) {
      if (cursor.value.state === 'sent') await cursor.delete();
      cursor = await cursor.continue();
    }
    await tx.done;
    await forgetLocationTags(store, [first, end]);
  });
}
