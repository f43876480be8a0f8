import type { Database } from '../../kernel/database/client.js';
import type { Log } from '../../kernel/log.js';

/** Records in the background when API keys were last used, without delaying requests. */
export type LastUse = {
  /** Records that the key is in use now. Call this if the stored time is more than a minute old. */
  note(keyId: string): void;
  /** Resolves once all records are written. */
  settled(): Promise<void>;
};

/**
 * Runs one write at a time; keys that are used meanwhile are in the next write. A failed write is logged and not
 * repeated.
 */
export function createLastUse({ db, log }: { db: Database; log: Pick<Log, 'warn'> }): LastUse {
  const noted = new Set<string>();
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (noted.size > 0) {
      const keyIds = [...noted];
      noted.clear();
      try {
        await writeLastUse(db, keyIds);
      } catch (error) {
        log.warn({ err: error }, 'the last use of API keys could not be written');
      }
    }
    writing = undefined;
  }

  return {
    note(keyId) {
      noted.add(keyId);
      writing ??= write();
    },
    settled: () => writing ?? Promise.resolve(),
  };
}

/** Skips locked rows: another process is writing the same, or the key is being revoked. */
async function writeLastUse(db: Database, keyIds: readonly string[]): Promise<void> {
  await db.$executeRaw`
    UPDATE api_keys
       SET last_used_at = date_trunc('milliseconds', clock_timestamp())
     WHERE id IN (SELECT id
                    FROM api_keys
                   WHERE id = ANY(${keyIds}::uuid[])
                     AND (last_used_at IS NULL OR last_used_at <= clock_timestamp() - interval '1 minute')
                     FOR UPDATE SKIP LOCKED)`;
}
