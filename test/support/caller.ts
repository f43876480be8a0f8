import type { Prisma } from '../../generated/prisma/client.js';
import { createIdentity, type IdentityOptions } from '../../server/people/auth/identity.js';
import { createSessionWatch } from '../../server/people/auth/session-watch.js';
import type { Role } from '../../server/people/auth/scopes.js';
import type { Actor } from '../../server/people/actor.js';
import type { Context, RefreshCookie } from '../../server/context.js';
import { openTestDb, type TestDb } from './models.js';
import { openDatabase } from '../../server/kernel/database/client.js';
import { createTxtResolver } from '../../server/people/email-domains/txt-records.js';
import { createEventInterests } from '../../server/notifying/events/interests.js';
import { createPageAnchors } from '../../server/kernel/database/page-anchors.js';
import { createHomeFigures } from '../../server/app/home/figures.js';
import { createImageEncoder } from '../../server/things/images/encoder.js';
import { createImportRuns } from '../../server/app/imports/runs.js';
import { createLivePositions } from '../../server/tracking/live/live-positions.js';
import { createLog } from '../../server/kernel/log.js';
import { createBrokerPorts } from '../../server/tracking/readers/broker-ports.js';
import { createMappingTrials } from '../../server/tracking/readers/mapping-trials.js';
import { createReadCounters } from '../../server/tracking/readers/read-counters.js';
import { createReportStarts } from '../../server/tracking/reports/page-starts.js';
import { createIngestion, ingestionConnectionsMax } from '../../server/tracking/scans/ingestion.js';
import { createScanCaps } from '../../server/tracking/scans/row-cap.js';
import { createLocatingKnowledge } from '../../server/tracking/scans/locating-knowledge.js';
import { appRouter } from '../../server/router.js';
import type { Services } from '../../server/services.js';
import { readSettings, type Settings } from '../../server/kernel/settings.js';
import { createCallerFactory } from '../../server/trpc.js';
import { contractErrorOf } from '../../server/kernel/validation/input-failure.js';
import { createMemberSession, createOrganization, type MemberSession } from './members.js';
import { createTestDatabase } from './postgres.js';

export const authSecret = 'a secret of the tests that is long enough for HS256';

const callerFor = createCallerFactory(appRouter);

export const nobody: Actor = { kind: 'none' };

/** Calls procedures as the given actor, without an entry point. */
export function createCaller(services: Services, actor: Actor = nobody, context: Partial<Context> = {}) {
  return callerFor({
    services,
    actor,
    requestId: '01J00000000000000000000000',
    clientAddress: '192.0.2.1',
    ...context,
  });
}

/** A browser's cookie for one service. */
export type CookieJar = RefreshCookie & { token: string | undefined };

export function createCookieJar(token?: string): CookieJar {
  return {
    token,
    read() {
      return this.token;
    },
    write(next) {
      this.token = next;
    },
    clear() {
      this.token = undefined;
    },
  };
}

/** A migrated database without rows, and the services on it. */
export type ServicesWorld = AsyncDisposable & {
  readonly db: TestDb;
  readonly services: Services;
};

export type ServicesWorldOptions = {
  settings?: Partial<Settings>;
  clocks?: Pick<IdentityOptions, 'now' | 'elapsedMs'>;
  secret?: string;
};

export async function createServicesWorld({
  settings: given = {},
  clocks = {},
  secret = authSecret,
}: ServicesWorldOptions = {}): Promise<ServicesWorld> {
  const database = await createTestDatabase();
  const db = openTestDb(database.url);
  const log = createLog('silent');
  const settings: Settings = { ...readSettings({}), ...given };
  const identity = createIdentity({
    db,
    log,
    settings: { authSecret: secret, environment: settings.environment },
    ...clocks,
  });
  const sessionWatch = createSessionWatch({ db, log });
  const livePositions = createLivePositions({ databaseUrl: database.url, databaseOf: () => db, log });
  const readCounters = createReadCounters({ db, log });
  const locating = createLocatingKnowledge({ db, log });
  const importRuns = createImportRuns({
    db,
    leases: db,
    log,
    placing: { locating, interests: { wants: () => false } },
  });
  const images = createImageEncoder({ log });
  const mappingTrials = createMappingTrials(log);
  const batches = openDatabase({ url: database.url, poolSize: ingestionConnectionsMax, purpose: 'ingestion' });
  const ingestion = createIngestion({ db, connections: batches.db, log, settings, locating, counters: readCounters });
  return {
    db,
    services: {
      db,
      settings,
      log,
      identity,
      sessionWatch,
      livePositions,
      readCounters,
      locating,
      importRuns,
      encodeImage: images.encode,
      mappingTrials,
      pageAnchors: createPageAnchors(),
      reportStarts: createReportStarts(),
      brokerPorts: createBrokerPorts(settings),
      homeFigures: createHomeFigures(() => db),
      eventInterests: createEventInterests({ db, log }),
      scanCaps: createScanCaps({ db, log }),
      mailer: undefined,
      signOn: undefined,
      resolveTxt: createTxtResolver(),
      ingestion,
    },
    async [Symbol.asyncDispose]() {
      await ingestion.stop(1000);
      await batches.close();
      await images.stop();
      await mappingTrials.stop();
      await importRuns.stop();
      await livePositions.stop();
      await readCounters.stop();
      await locating.stop();
      await sessionWatch.stop();
      await identity.stop();
      await db.$disconnect();
      await database[Symbol.asyncDispose]();
    },
  };
}

/**
 * Starts the calls while another transaction holds the rows, and releases them once this many connections wait for a
 * lock: the calls then meet in the middle of their work instead of by chance.
 */
export async function colliding<Result>(
  { db }: ServicesWorld,
  { rows, waiting }: { rows: Prisma.Sql; waiting: number },
  start: () => Promise<Result>[],
): Promise<PromiseSettledResult<Result>[]> {
  const calls = await db.$transaction(async (tx) => {
    await tx.$queryRaw`${rows} FOR UPDATE`;
    const started = Promise.allSettled(start());
    for (let found = 0; found < waiting; ) {
      const [row] = await db.$queryRaw<[{ n: number }]>`
        SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      found = row.n;
    }
    return { started };
  });
  return calls.started;
}

/** Creates an organization without members. */
export async function addOrganization({ db }: ServicesWorld, name?: string): Promise<number> {
  return createOrganization(db, name);
}

export type Member = MemberSession & { actor: Actor & { kind: 'session' } };

/** Creates a user with a role in an organization and an open session; nobody can sign in as them. */
export async function addMember(world: ServicesWorld, orgId: number, role: Role): Promise<Member> {
  const { db, services } = world;
  const session = await createMemberSession({ db, identity: services.identity }, orgId, role);
  const actor = (await services.identity.identify(session.token)) as Member['actor'];
  return { ...session, actor };
}

/** A services world with one organization. */
export type OrganizationWorld = ServicesWorld & {
  orgId: number;
  /** Its administrator. */
  admin: Member;
  /** Calls procedures as a member. */
  as(member: Member): ReturnType<typeof createCaller>;
};

export async function createOrganizationWorld(): Promise<OrganizationWorld> {
  const world = await createServicesWorld();
  const orgId = await addOrganization(world);
  const admin = await addMember(world, orgId, 'admin');
  return Object.assign(world, { orgId, admin, as: (member: Member) => createCaller(world.services, member.actor) });
}

/** Returns the error of a rejected call. Fails if it was accepted. */
export async function refusalOf(call: Promise<unknown>) {
  const error = await call.then(
    () => new Error('the call was not refused'),
    (reason: unknown) => reason,
  );
  const { type, message, fields, retryAfterSeconds, cause } = contractErrorOf(error);
  if (type === 'internal_error') throw new Error('the call failed instead of being refused', { cause });
  return {
    type,
    detail: message,
    ...(fields && { fields: fields.map(({ reason: _reason, ...entry }) => entry) }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}
