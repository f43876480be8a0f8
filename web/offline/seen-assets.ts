import type { ScanStore, SeenAsset } from '../scanning/store.js';
import { foldText } from '../ui/fold-text.js';

/** Assets that a device remembers for a person in one organization. */
export const seenAssetsMax = 500;

/** An asset from an answer; not every answer has the id of its photo. */
export type Sighted = Omit<SeenAsset, 'photo_id' | 'photo'> & { photo_id?: number | null | undefined; photo?: Blob };

/** Remembers assets with their locations; forgets the assets that were seen longest ago. */
export async function rememberSeen(store: ScanStore, seen: readonly Sighted[]): Promise<void> {
  const [first] = seen;
  if (!first) return;
  const tx = store.transaction('seen', 'readwrite');
  for (const row of seen) {
    const before = await tx.store.get([row.owner, row.id]);
    const photoId = row.photo_id === undefined ? (before?.photo_id ?? null) : row.photo_id;
    const photo = row.photo ?? (before?.photo_id === photoId ? before?.photo : undefined);
    await tx.store.put({ ...row, photo_id: photoId, ...(photo && { photo }) });
  }
  const mine = IDBKeyRange.bound([first.owner, 0], [first.owner, Number.MAX_SAFE_INTEGER]);
  let surplus = (await tx.store.index('age').count(mine)) - seenAssetsMax;
  for (let cursor = await tx.store.index('age').openCursor(mine); cursor && surplus > 0; surplus -= 1) {
    await cursor.delete();
    cursor = await cursor.continue();
  }
  await tx.done;
}

/** Returns the assets that this device remembers for an owner, the latest first. */
export async function seenAssets(store: ScanStore, owner: string): Promise<SeenAsset[]> {
  const mine = IDBKeyRange.bound([owner, 0], [owner, Number.MAX_SAFE_INTEGER]);
  return (await store.getAllFromIndex('seen', 'age', mine)).toReversed();
}

/** Returns the assets whose name, key or place has all words of a text, in any order. */
export function matching(assets: readonly SeenAsset[], text: string): SeenAsset[] {
  const words = foldText(text).split(/\s+/);
  return assets.filter(({ name, external_key: key, place }) => {
    const content = foldText(`${name} ${key} ${place}`);
    return words.every((word) => content.includes(word));
  });
}
