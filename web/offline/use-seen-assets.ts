import { useEffect, useState } from 'react';
import { openScanStore, type SeenAsset } from '../scanning/store.js';
import { seenAssets } from './seen-assets.js';

/** Returns the assets that this device remembers for an owner, the latest first; undefined until they are read. */
export function useSeenAssets(owner: string, isNeeded = true): readonly SeenAsset[] | undefined {
  const [assets, setAssets] = useState<readonly SeenAsset[]>();
  useEffect(() => {
    if (!isNeeded) return undefined;
    let isWanted = true;
    void readAssets(owner).then((read) => isWanted && setAssets(read));
    return () => {
      isWanted = false;
    };
  }, [owner, isNeeded]);
  return assets;
}

/** Returns none if the browser stores nothing. */
async function readAssets(owner: string): Promise<SeenAsset[]> {
  try {
    const store = await openScanStore();
    try {
      return await seenAssets(store, owner);
    } finally {
      store.close();
    }
  } catch {
    return [];
  }
}
