import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Outputs } from '../api/trpc.js';
import type { Batch, ScanLocation, ScanPlace } from './batch.js';

export type Matches = Outputs['scans']['resolve'][number]['matches'];

/** What a value belonged to when the service was last asked. */
export type KnownValue = { owner: string; value: string; matches: Matches; at: number };

/** A recently used location, to choose again without a network. */
export type RecentLocation = ScanLocation & { owner: string; at: number };

/** An asset with its location, as in the last answer of the service. */
export type SeenAsset = {
  owner: string;
  id: number;
  name: string;
  external_key: string;
  /** The names from the top of the tree down; empty without a location. */
  place: string;
  photo_id: number | null;
  /** The thumbnail, if this device has loaded it. */
  photo?: Blob;
  /** When the service answered, in epoch milliseconds. */
  at: number;
};

/** A location or a container by one of its tags, as the service lists them. */
export type LocationTag = NonNullable<Outputs['scans']['locationTags']['tags']>[number];

/** A code by which a scan names a location or a container: a tag with its type, the address of its label, or its key. */
export type LocationCode = Omit<LocationTag, 'value'> & { owner: string; code: string };

/** The version of the locations that are kept for an owner. */
type LocationList = { owner: string; version: string };

type Tables = DBSchema & {
  locationCodes: { key: [owner: string, code: string]; value: LocationCode };
  locationLists: { key: string; value: LocationList };
  seen: { key: [owner: string, id: number]; value: SeenAsset; indexes: { age: [owner: string, at: number] } };
  batches: { key: string; value: Batch; indexes: { owner: string } };
  values: { key: [owner: string, value: string]; value: KnownValue; indexes: { age: [owner: string, at: number] } };
  places: { key: [owner: string, id: number]; value: RecentLocation; indexes: { owner: string } };
};

export type ScanStore = IDBPDatabase<Tables>;

const databaseName = 'whereabouts-scanning';
const version = 4;
const knownValuesMax = 5000;
const recentLocationsMax = 8;

/** Opens the device's own tables. Every row has an owner, and is shown to and sent for this owner only. */
export async function openScanStore(): Promise<ScanStore> {
  const store = await openDB<Tables>(databaseName, version, {
    upgrade(db, before) {
      if (before < 1) {
        db.createObjectStore('batches', { keyPath: 'id' }).createIndex('owner', 'owner');
        db.createObjectStore('places', { keyPath: ['owner', 'id'] }).createIndex('owner', 'owner');
      }
      if (before < 2) db.createObjectStore('seen', { keyPath: ['owner', 'id'] }).createIndex('age', ['owner', 'at']);
      if (before < 3) {
        db.createObjectStore('locationCodes', { keyPath: ['owner', 'code'] });
        db.createObjectStore('locationLists', { keyPath: 'owner' });
      }
      // What version 3 remembered says nothing of containers.
      if (before > 0) db.deleteObjectStore('values');
      db.createObjectStore('values', { keyPath: ['owner', 'value'] }).createIndex('age', ['owner', 'at']);
    },
    // A tab with a newer version of the app waits until this connection is closed.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
  return store;
}

export async function rememberValues(store: ScanStore, known: readonly KnownValue[]): Promise<void> {
  const [first] = known;
  if (!first) return;
  const tx = store.transaction('values', 'readwrite');
  for (const row of known) await tx.store.put(row);
  const mine = IDBKeyRange.bound([first.owner, 0], [first.owner, Number.MAX_SAFE_INTEGER]);
  let surplus = (await tx.store.index('age').count(mine)) - knownValuesMax;
  for (let cursor = await tx.store.index('age').openCursor(mine); cursor && surplus > 0; surplus -= 1) {
    await cursor.delete();
    cursor = await cursor.continue();
  }
  await tx.done;
}

/** Remembers a location that was used; containers are not remembered. */
export async function rememberLocation(store: ScanStore, owner: string, { id, name, is }: ScanPlace): Promise<void> {
  if (is) return;
  const tx = store.transaction('places', 'readwrite');
  await tx.store.put({ owner, id, name, at: Date.now() });
  const mine = await tx.store.index('owner').getAll(owner);
  for (const old of mine.sort((a, b) => b.at - a.at).slice(recentLocationsMax)) await tx.store.delete([owner, old.id]);
  await tx.done;
}

export async function recentLocations(store: ScanStore, owner: string): Promise<RecentLocation[]> {
  return (await store.getAllFromIndex('places', 'owner', owner)).sort((a, b) => b.at - a.at);
}
