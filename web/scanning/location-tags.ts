import type { Outputs } from '../api/trpc.js';
import { looseForm, tagTypes } from './loose-form.js';
import type { LocationCode, LocationTag, Matches, ScanStore } from './store.js';

type Answer = Outputs['scans']['locationTags'];

type KeepOptions = {
  store: ScanStore;
  owner: string;
  ask: (asked: { version?: string; from?: number }) => Promise<Answer>;
  /** Whether the session still belongs to the owner. */
  isOwner: () => boolean;
};

/** Asks for the locations and their tags, and stores them if they have changed. Deletes those of other owners. */
export async function keepLocationTags({ store, owner, ask, isOwner }: KeepOptions): Promise<void> {
  for (const other of await store.getAllKeys('locationLists')) {
    if (other !== owner) await forgetLocationTags(store, [other, `${other}\u0000`]);
  }
  const known = await store.get('locationLists', owner);
  const list = await readLocationTags(ask, known?.version);
  if (!list || !isOwner()) return;
  const { version, tags } = list;
  const tx = store.transaction(['locationLists', 'locationCodes'], 'readwrite');
  const codes = tx.objectStore('locationCodes');
  void codes.delete(codesOfOwner(owner, `${owner}\u0000`));
  for (const row of codesOf(owner, tags)) void codes.put(row);
  void tx.objectStore('locationLists').put({ owner, version });
  await tx.done;
}

/** Reads the list, page by page; undefined if it is known, or has changed meanwhile. */
export async function readLocationTags(
  ask: KeepOptions['ask'],
  known: string | undefined,
): Promise<{ version: string; tags: LocationTag[] } | undefined> {
  const { version, tags, next } = await ask(known === undefined ? {} : { version: known });
  if (!tags) return undefined;
  for (let from = next; from !== null; ) {
    const page = await ask({ from });
    if (page.version !== version || !page.tags) return undefined;
    tags.push(...page.tags);
    from = page.next;
  }
  return { version, tags };
}

/** Deletes what is kept for the owners from the first name on, before the second name. */
export async function forgetLocationTags(store: ScanStore, [first, end]: readonly [string, string]): Promise<void> {
  const tx = store.transaction(['locationLists', 'locationCodes'], 'readwrite');
  void tx.objectStore('locationLists').delete(IDBKeyRange.bound(first, end, false, true));
  void tx.objectStore('locationCodes').delete(codesOfOwner(first, end));
  await tx.done;
}

function codesOfOwner(first: string, end: string): IDBKeyRange {
  return IDBKeyRange.bound([first], [end], false, true);
}

/** Returns the rows by which a scanned value finds a location: by its tags, the address of its label, and its key. */
export function codesOf(owner: string, tags: readonly LocationTag[]): LocationCode[] {
  return tags.flatMap(({ tag_type: type, value, ...location }) => {
    const { id, external_key: key, is_container: isContainer } = location;
    const byTag =
      type === null || value === null ? [] : [{ code: `${type} ${looseForm(type, value)}`, tag_type: type }];
    // A location and an asset can have the same key.
    const names = isContainer ? [`/a/${id}`] : [`/l/${id}`, `key ${key}`];
    const byName = names.map((code) => ({ code, tag_type: null }));
    return [...byTag, ...byName].map((row) => ({ owner, ...row, ...location }));
  });
}

/** Returns the codes of the tags, and of the labels and keys, that a scanned value can be, in the order of the service. */
export function candidatesOf(value: string): { tags: string[]; names: string[] } {
  const keys = [...new Set([value, value.toUpperCase(), value.toLowerCase()])].map((key) => `key ${key}`);
  return {
    tags: tagTypes.map((type) => `${type} ${looseForm(type, value)}`),
    names: [...(/^\/[al]\/\d+$/i.test(value) ? [value.toLowerCase()] : []), ...keys],
  };
}

/** Returns the location or container that one of the codes finds first, as the service would return it. */
export async function findLocation(
  store: ScanStore,
  owner: string,
  codes: readonly string[],
): Promise<Matches | undefined> {
  for (const code of codes) {
    const found = await store.get('locationCodes', [owner, code]);
    if (found) {
      const { id, name, external_key, is_active, tag_type, is_container: isContainer } = found;
      const none = { where: null, belongs_to: null, containers: [], holds_assets: isContainer };
      return [{ kind: isContainer ? 'asset' : 'location', id, name, external_key, is_active, tag_type, ...none }];
    }
  }
  return undefined;
}

export type KeptLocation = { id: number; name: string; external_key: string };

/** Returns all locations that are kept for an owner, each once, by name. */
export async function keptLocations(store: ScanStore, owner: string): Promise<KeptLocation[]> {
  const labels = IDBKeyRange.bound([owner, '/l/'], [owner, '/l0'], false, true);
  const rows = await store.getAll('locationCodes', labels);
  return rows
    .map(({ id, name, external_key }) => ({ id, name, external_key }))
    .sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }));
}
