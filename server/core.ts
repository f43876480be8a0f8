import { createIdentity } from './people/auth/identity.js';
import { createSessionWatch } from './people/auth/session-watch.js';
import type { Actor } from './people/actor.js';
import type { Context } from './context.js';
import { type Database, type DatabasePool, openDatabase } from './kernel/database/client.js';
import type { Purpose } from './kernel/database/connection-settings.js';
import { overdueExchanges } from './kernel/deadline.js';
import { createFairQueue, type FairQueueStats, type Wanted } from './kernel/database/fair-queue.js';
import { createPageAnchors } from './kernel/database/page-anchors.js';
import type { Presence } from './kernel/database/presence.js';
import { createRequestDatabases } from './kernel/database/request-database.js';
import { createTxtResolver } from './people/email-domains/txt-records.js';
import { createEventInterests } from './notifying/events/interests.js';
import { createOutboundPause, type OutboundPause, pausableMailer } from './people/mail/outbound-pause.js';
import { createOutbound, type OutboundStats } from './notifying/events/outbound.js';
import { createHomeFigures } from './app/home/figures.js';
import { createImageEncoder } from './things/images/encoder.js';
import { callFiles } from './things/images/router.js';
import { createScheduledEmailTasks, queueTask } from './app/scheduled-emails/send.js';
import { createImportRuns } from './app/imports/runs.js';
import { createSettleTask } from './tracking/containers/settle.js';
import { createLivePositions, type LiveStats } from './tracking/live/live-positions.js';
import type { Log } from './kernel/log.js';
import { createLoopTurns, type LoopTurns } from './kernel/loop-turns.js';
import { createMailer } from './people/mail/mailer.js';
import { type BrokerPorts, createBrokerPorts } from './tracking/readers/broker-ports.js';
import { createLoginNotes } from './tracking/readers/login-notes.js';
import { createReaderNotes } from './tracking/readers/reader-notes.js';
import { createReaderLogins, type ReaderLogins } from './tracking/readers/logins.js';
import { createMappingTrials } from './tracking/readers/mapping-trials.js';
import { createReadCounters } from './tracking/readers/read-counters.js';
import { createReportStarts } from './tracking/reports/page-starts.js';
import { createMaintenance } from './operations/maintenance.js';
import { appRouter } from './router.js';
import { createIngestion, type Ingestion, ingestionConnectionsMax } from './tracking/scans/ingestion.js';
import { createLocatingKnowledge } from './tracking/scans/locating-knowledge.js';
import { createScanCaps } from './tracking/scans/row-cap.js';
import type { Services } from './services.js';
import type { Settings } from './kernel/settings.js';
import { createSignOn } from './people/sign-on/sign-on.js';

/** The properties of a request besides its input. */
export type Caller = Omit<Context, 'services'> & {
  /** Cancels the statements of the request when the client disconnects; without it they run to completion. */
  presence?: Presence | undefined;
};

/** The server for the gateway and the ingest broker. */
export type Core = {
  router: typeof appRouter;
  /** Calls the procedures that take and return bytes. */
  callFiles: typeof callFiles;
  /** @throws ContractError `unauthorized` (contract 6.4) */
  identify(token: string): Promise<Actor>;
  contextFor(caller: Caller): Context;
  /** The turns of organizations at the event loop, for work that takes milliseconds. */
  loopTurns: LoopTurns;
  /**
   * Processes a request, from its fields to its answer, as soon as its organization has fewer than `requestsMax` under way; at
   * once for a caller without an organization (null).
   *
   * @throws ContractError `service_unavailable` if that takes longer than four seconds, or 200 requests of the organization wait
   */
  process<Result>(orgId: number | null, work: () => Promise<Result>, wanted?: Wanted): Promise<Result>;
  readers: ReaderLogins;
  /** Records the ports on which the ingest broker of this process listens. */
  noteBrokerPorts(ports: BrokerPorts): void;
  ingestion: Pick<Ingestion, 'ingest' | 'stats'>;
  liveStats(): LiveStats;
  /** Returns the state of the fair queue of connections. */
  queueStats(): FairQueueStats;
  /** Returns the jobs of all processes, up to five seconds old, and the deliveries of this process. */
  jobStats(): OutboundStats;
  /** Returns how many exchanges with other services have been under way for longer than 60 seconds: 0, unless there is a defect. */
  overdueExchanges(): number;
  outboundPause: Pick<OutboundPause, 'isPaused' | 'whenReleased'>;
  /** Rejects if the database is unreachable. */
  checkDatabase(): Promise<void>;
  start(): Promise<void>;
  /**
   * Rejects what requests still ask of the database with 503, and cancels their statements after half a second. Resolves when
   * no request uses the database.
   */
  finishRequests(): Promise<void>;
  stop(): Promise<void>;
};

export type CoreOptions = {
  /** For background work: imports, maintenance, reads. */
  db: Database;
  /** The database of `db`, for parts that need their own connections. */
  databaseUrl: string;
  settings: Settings;
  log: Log;
  /** How often repeated jobs run, for tests that wait for them. */
  jobsRepeatMs?: number | undefined;
  /** Name servers instead of the machine's, in tests. */
  nameServers?: readonly string[] | undefined;
};

/**
 * Requests of one organization that are processed at once. They wait for locks without a connection, so that this is more than
 * the connections which they share.
 */
export const requestsMax = 32;

/** Connections for identities, leases and health checks, which requests cannot take. */
const systemConnections = 2;

/** Connections for maintenance, which processes whole tables and ends at once when the service stops. */
const maintenanceConnections = 2;

/** How long accepted reads may still be stored while the service stops. */
const flushTimeoutMs = 3000;

/** How long requests and maintenance may continue while the service stops, before their statements are canceled. */
const finishMs = 500;

/** Builds the server on a migrated database. `settings.authSecret` must be set. */
export function createCore({ db, databaseUrl, settings, log, jobsRepeatMs, nameServers }: CoreOptions): Core {
  const open = (purpose: Purpose, poolSize: number, canceledBy?: DatabasePool['pool']) =>
    openDatabase({ url: databaseUrl, poolSize, purpose, log, ...(canceledBy && { canceledBy }) });
  const system = open('system', systemConnections);
  const requests = open('requests', settings.databasePoolSize, system.pool);
  const loopTurns = createLoopTurns();
  const requestDatabases = createRequestDatabases(requests, loopTurns);
  const underWay = createFairQueue({ perOrganization: requestsMax });
  const identity = createIdentity({
    db: system.db,
    log,
    settings: { ...settings, authSecret: settings.authSecret ?? '' },
  });
  const sessionWatch = createSessionWatch({ db: system.db, log });
  const livePositions = createLivePositions({ databaseUrl, databaseOf: (orgId) => requestDatabases.of(orgId), log });
  const brokerPorts = createBrokerPorts(settings);
  const homeFigures = createHomeFigures((orgId) => requestDatabases.of(orgId));
  const readCounters = createReadCounters({ db, log });
  const locating = createLocatingKnowledge({ db, log });
  const eventInterests = createEventInterests({ db: system.db, log });
  const importRuns = createImportRuns({ db, leases: system.db, log, placing: { locating, interests: eventInterests } });
  const outboundPause = createOutboundPause({ db: system.db, log });
  const mailer = settings.mail && pausableMailer(createMailer(settings.mail), outboundPause);
  const scanCaps = createScanCaps({ db, log });
  const imageEncoder = createImageEncoder({ log });
  const mappingTrials = createMappingTrials(log);
  const more = {
    tasks: {
      ...createSettleTask({ db, interests: eventInterests }),
      ...(mailer && createScheduledEmailTasks({ db, mailer, settings, log, contextFor })),
    },
    repeated: mailer ? [queueTask] : [],
  };
  const outbound = createOutbound({ databaseUrl, settings, log, mailer, more, repeatMs: jobsRepeatMs });
  const batches = open('ingestion', ingestionConnectionsMax);
  const ingestion = createIngestion({
    db,
    connections: batches.db,
    log,
    settings,
    locating,
    counters: readCounters,
    interests: eventInterests,
    caps: scanCaps,
  });
  const services: Omit<Services, 'db'> = {
    settings,
    log,
    identity,
    sessionWatch,
    livePositions,
    importRuns,
    encodeImage: imageEncoder.encode,
    mappingTrials,
    pageAnchors: createPageAnchors(),
    reportStarts: createReportStarts(),
    readCounters,
    brokerPorts,
    homeFigures,
    locating,
    eventInterests,
    scanCaps,
    mailer,
    ingestion,
    signOn: createSignOn(settings, log),
    resolveTxt: createTxtResolver(nameServers),
  };
  const loginNotes = createLoginNotes({ db: system.db, log });
  const readerNotes = createReaderNotes({ db: system.db, log });
  const upkeep = open('maintenance', maintenanceConnections, system.pool);
  const maintenance = createMaintenance({ db: upkeep.db, log, settings });

  function contextFor({ presence, ...caller }: Caller): Context {
    const { actor } = caller;
    const db = requestDatabases.of(actor.kind === 'none' ? null : actor.orgId, presence);
    return { ...caller, services: { ...services, db } };
  }

  async function process<Result>(orgId: number | null, work: () => Promise<Result>, wanted?: Wanted): Promise<Result> {
    if (orgId === null) return work();
    const inTurn = async () => {
      await loopTurns.next(orgId);
      return work();
    };
    return underWay.run(orgId, inTurn, wanted);
  }

  /** Waits for work on the connections of a pool, and cancels the statements of the pool after `finishMs`. */
  async function finish(work: Promise<void>, connections: DatabasePool): Promise<void> {
    const timer = setInterval(() => {
      connections
        .cancelStatements()
        .catch((error: unknown) => log.warn({ err: error }, 'statements could not be canceled'));
    }, finishMs);
    await work;
    clearInterval(timer);
  }

  let finishing: Promise<void> | undefined;
  const finishRequests = () => {
    void underWay.close();
    return (finishing ??= finish(requestDatabases.close(), requests));
  };

  return {
    router: appRouter,
    callFiles,
    identify: (token) => identity.identify(token),
    contextFor,
    loopTurns,
    process,
    readers: createReaderLogins({ db: system.db, notes: loginNotes, readerNotes }),
    noteBrokerPorts: brokerPorts.note,
    ingestion,
    liveStats: livePositions.stats,
    queueStats: requestDatabases.stats,
    jobStats: outbound.stats,
    overdueExchanges,
    outboundPause,
    async checkDatabase() {
      await system.db.$queryRaw`SELECT 1`;
    },
    async start() {
      await maintenance.start();
      await eventInterests.start();
      await outboundPause.start();
      outboundPause.whenReleased(outbound.start);
    },
    finishRequests,
    async stop() {
      outboundPause.stop();
      // In parallel with the waiting reads, which must not wait for the other parts.
      const others = Promise.all([
        livePositions.stop(),
        sessionWatch.stop(),
        loginNotes.stop(),
        readerNotes.stop(),
        finishRequests(),
        finish(maintenance.stop(), upkeep),
        importRuns.stop(),
        outbound.stop(),
        eventInterests.stop(),
        scanCaps.submissions.stop(),
        imageEncoder.stop(),
        mappingTrials.stop(),
      ]);
      await ingestion.stop(flushTimeoutMs);
      await Promise.all([others, batches.close(), readCounters.stop(), locating.stop()]);
      await identity.stop();
      await Promise.all([requests.close(), upkeep.close(), system.close()]);
      mailer?.close();
    },
  };
}
