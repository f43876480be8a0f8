import type { Database } from '../database/client.js';
import type { Log } from '../log.js';
import type { Settings } from '../settings.js';
import { removeForgottenScans } from './forgotten-scans.js';
import { dropExpiredPartitions, ensurePartitions } from './partitions.js';
import { removeOldRejectedMessages } from './rejected-messages.js';

const hourMs = 3_600_000;

export type ScanMaintenance = {
  /** Makes the partitions that must be there before the first read; then keeps house every hour. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Makes partitions ahead of time and drops those past the retention, together with what else is kept for a time only.
 * Each process may run it: the work is under a lock, and doing it twice changes nothing.
 */
export function createScanMaintenance(options: { db: Database; log: Log; settings: Settings }): ScanMaintenance {
  const { db, log, settings } = options;
  const retentionDays = settings.eventRetentionDays;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function keepHouse(): Promise<void> {
    try {
      const retention = { retentionDays, nowMs: Date.now() };
      const made = await ensurePartitions(db, retention);
      const dropped = await dropExpiredPartitions(db, retention);
      await removeOldRejectedMessages(db);
      await removeForgottenScans(db, retentionDays);
      if (made.length + dropped.length > 0) log.info({ made, dropped }, 'partitions of scan events');
    } catch (error) {
      log.warn({ err: error }, 'housekeeping of scan data failed; it is tried again within the hour');
    }
  }

  return {
    async start() {
      await ensurePartitions(db, { retentionDays, nowMs: Date.now() });
      running = keepHouse();
      timer = setInterval(() => {
        running = running.then(keepHouse);
      }, hourMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
