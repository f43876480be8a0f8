import type { Database } from '../database/client.js';
import type { Log } from '../log.js';

/** Writes down when API keys were last used, beside the requests and never in their way. */
export type LastUse = {
  /** The key is in use now, and what is stored is more than a minute old. */
  note(keyId: string): void;
  /** Resolves once everything noted is written. */
  settled(): Promise<void>;
};

/** One write at a time; what is noted meanwhile goes with the next. A write that fails is logged and left at that. */
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

/** Rows somebody else has locked are skipped: another process is writing the same, or the key is being revoked. */
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
