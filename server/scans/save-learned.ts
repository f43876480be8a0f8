import type { Database } from '../database/client.js';
import type { Knowledge, SignatureRow } from '../locating/index.js';
import { saveLevels, saveSignatures } from './knowledge-queries.js';

/**
 * Creates the function that stores what was learned since its last call. Calls run one after another, so when one
 * resolves, everything learned before it is stored. What cannot be stored is stored by the next call.
 *
 * @param isStored whether the process has seen a stored signature of the location of a row
 */
export function createSaving(
  db: Database,
  knowledge: Knowledge,
  isStored: (row: SignatureRow) => boolean,
): () => Promise<void> {
  let last = Promise.resolve();

  async function saveChanges(): Promise<void> {
    const changes = knowledge.takeChanges();
    const stored = new Set(changes.signatures.filter(isStored).map(({ location }) => location));
    try {
      await saveLevels(db, changes.levels);
      await saveSignatures(db, changes.signatures, (location) => stored.has(location));
    } catch (error) {
      knowledge.keepChanges(changes);
      throw error;
    }
  }

  return () => {
    const saved = last.then(saveChanges);
    last = saved.catch(() => {});
    return saved;
  };
}
