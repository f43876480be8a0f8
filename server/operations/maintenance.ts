import { removeOldAlerts } from '../notifying/alerts/queries.js';
import { removePhotosOfDeletedAssets } from '../things/assets/photo-queries.js';
import { removeOldProblems } from '../things/asset-problems/queries.js';
import { removeOldVisits } from '../things/assets/list-visits.js';
import { removeOldBatches } from '../people/activity/batches.js';
import type { Database } from '../kernel/database/client.js';
import { markExpired } from '../kernel/database/expired.js';
import { activityLog, dropExpiredPartitions, ensurePartitions } from '../kernel/database/partitions.js';
import { removeUnusedImages } from '../things/images/queries.js';
import { releaseAbandonedKeys } from '../app/imports/key-reservations.js';
import { removeOldImports } from '../app/imports/queries.js';
import { removeFailedJobs } from '../kernel/jobs/queue-queries.js';
import { removePlansOfDeletedLocations } from '../tracking/floor-plans/queries.js';
import type { Log } from '../kernel/log.js';
import { removeOldContainments } from '../tracking/containers/old-containments.js';
import { removeOldPlacements } from '../tracking/scans/placement-queries.js';
import { removeOldChecks } from '../things/locations/check-queries.js';
import { removeOldInvitations } from '../people/members/invitation-queries.js';
import { removeOldCounts } from '../tracking/readers/read-counters.js';
import { removeDeletedReaders } from '../tracking/readers/quota.js';
import { effectiveRetention } from '../tracking/scans/effective-retention.js';
import { removeForgottenScans } from '../tracking/scans/forgotten-scans.js';
import { removeOldRejectedMessages } from '../tracking/scans/rejected-messages.js';
import { removeKnownValues } from '../tracking/scans/unknown-values.js';
import { removeStaleSessions } from '../people/session/cleanup.js';
import type { Settings } from '../kernel/settings.js';
import { removeOldTelemetry } from '../things/telemetry/store-telemetry.js';
import { removeDeletedRules } from '../notifying/alert-rules/queries.js';
import { removeDeletedViews } from '../app/saved-views/queries.js';
import { removeDeletedEndpoints } from '../notifying/webhooks/endpoint-queries.js';
import { removeOldDeliveries } from '../notifying/webhooks/retention.js';

const hourMs = 3_600_000;
const activityRetentionDays = 365;

export type Maintenance = {
  /** Creates the partitions that the first read needs, and then runs all steps every hour. */
  start(): Promise<void>;
  /** Starts no further step; resolves once none is running. */
  stop(): Promise<void>;
};

/**
 * Creates partitions ahead of time and deletes expired data. Every process may run it: each step is under a lock or
 * idempotent.
 */
export function createMaintenance(options: { db: Database; log: Log; settings: Settings }): Maintenance {
  const { db, log, settings } = options;
  const retention = () => effectiveRetention(db, log, settings.eventRetentionDays);
  /** Changes are logged as they happen, so only the present month and the next ones need a partition. */
  const ensureActivityPartitions = () => ensurePartitions(db, { retentionDays: 1, nowMs: Date.now() }, activityLog);
  const activityRetention = async () => ({
    retentionDays: activityRetentionDays,
    nowMs: (await retention()).nowMs,
  });
  const steps: Record<string, () => Promise<unknown>> = {
    'make partitions': async () => ensurePartitions(db, await retention()),
    'drop expired partitions': async () => dropExpiredPartitions(db, await retention()),
    'make partitions of the activity log': ensureActivityPartitions,
    'drop expired partitions of the activity log': async () =>
      dropExpiredPartitions(db, await activityRetention(), activityLog),
    'flag what has expired': () => markExpired(db),
    'remove old rejected messages': () => removeOldRejectedMessages(db),
    'remove old visits': async () => removeOldVisits(db, (await retention()).retentionDays),
    'remove old placements': async () => removeOldPlacements(db, (await retention()).retentionDays),
    'remove old containments': async () => removeOldContainments(db, (await retention()).retentionDays),
    'remove forgotten scans': async () => removeForgottenScans(db, (await retention()).retentionDays),
    'remove readers deleted long ago': async () => removeDeletedReaders(db, (await retention()).retentionDays),
    'remove known values': () => removeKnownValues(db),
    'remove old counts': () => removeOldCounts(db),
    'remove old telemetry': () => removeOldTelemetry(db),
    'remove old location checks': () => removeOldChecks(db),
    'release keys of abandoned imports': () => releaseAbandonedKeys(db),
    'remove old imports': () => removeOldImports(db),
    'remove unused images': () => removeUnusedImages(db),
    'remove stale sessions': () => removeStaleSessions(db),
    'remove old invitations': () => removeOldInvitations(db),
    'remove old alerts': () => removeOldAlerts(db),
    'remove old deliveries': () => removeOldDeliveries(db),
    'remove deleted webhooks': () => removeDeletedEndpoints(db),
    'remove deleted alert rules': () => removeDeletedRules(db),
    'remove deleted views': () => removeDeletedViews(db),
    'remove photos of deleted assets': () => removePhotosOfDeletedAssets(db),
    'remove old problems': () => removeOldProblems(db),
    'remove plans of deleted locations': () => removePlansOfDeletedLocations(db),
    'remove old batches of changes': () => removeOldBatches(db, activityRetentionDays),
    'remove failed jobs': () => removeFailedJobs(db),
  };
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopping = false;

  /** Runs the steps. The failure of one step does not affect the others; the step is repeated after an hour. */
  async function runSteps(): Promise<void> {
    for (const [step, run] of Object.entries(steps)) {
      if (isStopping) return;
      try {
        const done = await run();
        if (Array.isArray(done) && done.length > 0) log.info({ step, done }, 'maintenance');
      } catch (error) {
        // Its statement is canceled when the service stops; the next process runs the step within the hour.
        if (!isStopping) log.warn({ err: error, step }, 'a step of the maintenance failed');
      }
    }
  }

  return {
    async start() {
      await ensurePartitions(db, await retention());
      await ensureActivityPartitions();
      running = runSteps();
      timer = setInterval(() => {
        running = running.then(runSteps);
      }, hourMs);
      timer.unref();
    },
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await running;
    },
  };
}
