import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Audit } from './audit-model.js';

type Tables = DBSchema & {
  audits: { key: string; value: Audit };
};

const databaseName = 'whereabouts-audits';

/** Returns the running audits on this device, each with its owner. */
export function openAuditStore(): Promise<IDBPDatabase<Tables>> {
  return openDB<Tables>(databaseName, 1, {
    upgrade(db) {
      db.createObjectStore('audits', { keyPath: 'id' });
    },
    // A tab with a newer version of the app waits until this connection is closed.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
}

export type AuditStore = IDBPDatabase<Tables>;

/** Changes the stored audit in one transaction; `change` returns null to leave it unchanged. */
export async function changeAudit(
  store: AuditStore,
  { id, begin }: { id: string; begin: () => Audit },
  change: (audit: Audit) => Audit | null,
): Promise<Audit> {
  const tx = store.transaction('audits', 'readwrite');
  const before = (await tx.store.get(id)) ?? begin();
  const after = change(before) ?? before;
  if (after !== before) await tx.store.put(after);
  await tx.done;
  return after;
}
