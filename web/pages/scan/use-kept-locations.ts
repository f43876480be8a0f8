import { useEffect, useState } from 'react';
import { type KeptLocation, keptLocations } from '../../scanning/location-tags.js';
import { openScanStore } from '../../scanning/store.js';
import { ownerOf } from '../../session/owner.js';
import { useSession } from '../../session/context.js';
import { foldText } from '../../ui/fold-text.js';

/** Returns the locations that this device keeps whose name or key contains a text; undefined until they are read. */
export function useKeptLocations(text: string, isNeeded: boolean): readonly KeptLocation[] | undefined {
  const owner = ownerOf(useSession());
  const [locations, setLocations] = useState<readonly KeptLocation[]>();
  useEffect(() => {
    if (!isNeeded) return undefined;
    let isWanted = true;
    void readLocations(owner).then((read) => isWanted && setLocations(read));
    return () => {
      isWanted = false;
    };
  }, [owner, isNeeded]);
  const folded = foldText(text);
  return locations?.filter(({ name, external_key: key }) => foldText(`${name} ${key}`).includes(folded));
}

/** Returns none if the browser stores nothing. */
async function readLocations(owner: string): Promise<KeptLocation[]> {
  try {
    const store = await openScanStore();
    try {
      return await keptLocations(store, owner);
    } finally {
      store.close();
    }
  } catch {
    return [];
  }
}
