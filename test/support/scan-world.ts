import { randomUUID } from 'node:crypto';
import type { Role } from '../../server/people/auth/scopes.js';
import { openTestDb, type TestDb } from './models.js';
import { type Database, openDatabase } from '../../server/kernel/database/client.js';
import { type Core, createCore } from '../../server/index.js';
import { createLog, type Log } from '../../server/kernel/log.js';
import { appRouter } from '../../server/router.js';
import { readSettings, type Settings } from '../../server/kernel/settings.js';
import { createCallerFactory } from '../../server/trpc.js';
import { authSecret, nobody } from './caller.js';
import { createMemberSession, createOrganization } from './members.js';
import { createStartedDatabase } from './postgres.js';
import { shareInWorker } from './shared.js';

const callerFor = createCallerFactory(appRouter);

export type AppCaller = ReturnType<typeof callerFor>;

/** The core on a database, without gateway and broker. */
export type ScanWorld = AsyncDisposable & {
  readonly db: TestDb;
  /** Connections of ingestion in addition to the connections of `core`, for tests that store by themselves. */
  readonly connections: Database;
  readonly databaseUrl: string;
  readonly core: Core;
  readonly settings: Settings;
  readonly log: Log;
  /** A new organization with an administrator. */
  organization(): Promise<ScanOrganization>;
};

type Tags = [type: string, value: string][];

export type NewAsset = { name?: string; externalKey?: string; tags?: Tags; isActive?: boolean };

export type NewLocation = { name?: string; externalKey?: string; parentId?: number | null; tags?: Tags };

export type ScanOrganization = {
  orgId: number;
  /** Calls procedures as the administrator. */
  admin: AppCaller;
  as(role: Role): Promise<AppCaller>;
  location(options?: NewLocation): Promise<number>;
  asset(options?: NewAsset): Promise<number>;
  deleteLocation(id: number): Promise<void>;
  deleteAsset(id: number): Promise<void>;
  /** A reader that decides by its newest read, unless `input` says otherwise: one read then moves an asset. */
  reader(input?: Partial<Parameters<AppCaller['readers']['create']>[0]>): Promise<TestReader>;
  events(assetId?: number): Promise<TestEvent[]>;
  positions(): Promise<TestPosition[]>;
};

export type TestReader = Awaited<ReturnType<AppCaller['readers']['create']>>;

export type TestEvent = {
  asset_id: number;
  at: string;
  location_id: number | null;
  reader_id: number | null;
  antenna: number | null;
  rssi_dbm: number | null;
};

export type TestPosition = Omit<TestEvent, 'rssi_dbm'>;

export type ScanWorldOptions = { settings?: Partial<Settings>; log?: Log; jobsRepeatMs?: number };

/**
 * The core with the usual settings, which the test files of a worker share and which ends with the worker. Each test makes
 * organizations of its own in it. A test that reads what all organizations have, or changes the database, creates a world.
 */
export const sharedScanWorld = shareInWorker(() => createScanWorld());

export async function createScanWorld(options: ScanWorldOptions = {}): Promise<ScanWorld> {
  const database = await createStartedDatabase();
  const log = options.log ?? createLog('silent');
  const settings: Settings = { ...readSettings({}), port: 0, mqttPort: 0, authSecret, ...options.settings };
  const db = openTestDb(database.url);
  const batches = openDatabase({ url: database.url, poolSize: 4, purpose: 'ingestion' });
  const core = createCore({ db, databaseUrl: database.url, settings, log, jobsRepeatMs: options.jobsRepeatMs });
  await core.start();

  return {
    db,
    connections: batches.db,
    databaseUrl: database.url,
    core,
    settings,
    log,
    organization: () => addOrganization({ db, core }),
    async [Symbol.asyncDispose]() {
      await core.stop();
      await batches.close();
      await db.$disconnect();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Adds an organization to a migrated database that a service will use. */
export async function prepareDatabase<Result>(
  url: string,
  work: (org: ScanOrganization) => Promise<Result>,
): Promise<Result> {
  const log = createLog('silent');
  const db = openTestDb(url, 2);
  try {
    const settings = { ...readSettings({}), authSecret };
    const core = createCore({ db, databaseUrl: url, settings, log });
    return await work(await addOrganization({ db, core }));
  } finally {
    await db.$disconnect();
  }
}

async function addOrganization({ db, core }: { db: TestDb; core: Core }): Promise<ScanOrganization> {
  const orgId = await createOrganization(db);

  async function as(role: Role): Promise<AppCaller> {
    const request = { requestId: 'test', clientAddress: '192.0.2.1' };
    const { identity } = core.contextFor({ actor: nobody, ...request }).services;
    const { token } = await createMemberSession({ db, identity }, orgId, role);
    return callerFor(core.contextFor({ actor: await core.identify(token), ...request }));
  }

  const admin = await as('admin');
  const scoped = () => ({
    orgId,
    externalKey: randomUUID(),
    name: 'A thing',
    validFrom: new Date(),
    createdAt: new Date(),
    updatedAt: new Date(),
  });
  const retired = { deletedAt: new Date() };
  return {
    orgId,
    admin,
    as,
    async location({ tags = [], ...fields } = {}) {
      const { id } = await db.location.create({ data: { ...scoped(), ...fields } });
      for (const [tagType, value] of tags) await db.tag.create({ data: { orgId, locationId: id, tagType, value } });
      return id;
    },
    async asset({ tags = [], ...fields } = {}) {
      const { id } = await db.asset.create({ data: { ...scoped(), ...fields } });
      for (const [tagType, value] of tags) await db.tag.create({ data: { orgId, assetId: id, tagType, value } });
      return id;
    },
    async deleteLocation(id) {
      await db.location.update({ where: { id }, data: retired });
      await db.tag.updateMany({ where: { locationId: id }, data: retired });
    },
    async deleteAsset(id) {
      await db.asset.update({ where: { id }, data: retired });
      await db.tag.updateMany({ where: { assetId: id }, data: retired });
    },
    reader: (input = {}) => admin.readers.create({ name: 'Door', format: 'native', location_rule: 'newest', ...input }),
    async events(assetId) {
      const rows = await db.scanEvent.findMany({
        where: { orgId, ...(assetId !== undefined && { assetId }) },
        orderBy: [{ assetId: 'asc' }, { eventObservedAt: 'asc' }],
      });
      return rows.map((row) => ({
        asset_id: row.assetId,
        at: row.eventObservedAt.toISOString(),
        location_id: row.locationId,
        reader_id: row.readerId,
        antenna: row.antenna,
        rssi_dbm: row.rssiDbm,
      }));
    },
    async positions() {
      const rows = await db.assetPosition.findMany({ where: { orgId }, orderBy: { assetId: 'asc' } });
      return rows.map((row) => ({
        asset_id: row.assetId,
        at: row.assetLastSeen.toISOString(),
        location_id: row.locationId,
        reader_id: row.readerId,
        antenna: row.antenna,
      }));
    },
  };
}
