import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../kernel/database/client.js';
import { createKnowledge, type Knowledge, portOf, readerOf } from '../../locating/index.js';
import type { AntennaKey, AntennaSettings, LocationId } from '../../locating/types.js';
import type { Log } from '../../kernel/log.js';
import { createReadersElsewhere } from './readers-elsewhere.js';
import { createSaving } from './save-learned.js';
import {
  byOrganization,
  type ChangedReader,
  changedReaders,
  readClock,
  readersAtOnceMax,
  type ReaderReport,
  readerReports,
  signatureDigests,
  signatureLocations,
  storedAntennas,
  storedLevels,
  storedReaders,
  storedSignatures,
  type StoredReader,
} from './stored-knowledge.js';

/** How often the changes of other processes are read, for organizations in use. */
const refreshMs = 2000;
/** How often what was learned is stored: a crash loses this much of it, and never a read. */
const saveMs = 5000;
/** An organization without reads for this long is removed from memory. */
const idleMs = 600_000;
/** Locations whose signatures are read at once. */
const signaturesOfMax = 50;
/** The maximum delay between the instant that a transaction wrote and its commit. */
const commitDelayMaxMs = 15_000;

export type LocatingKnowledge = {
  knowledge: Knowledge;
  antennaSettings(key: AntennaKey): AntennaSettings | undefined;
  /** Loads what is stored of organizations that were not in use. Resolves at once for the others. */
  prepare(orgIds: Iterable<number>): Promise<void>;
  /** Records that this process received something from readers. */
  received(readerIds: readonly number[]): void;
  /** Forgets what was learned of a location. Call it after the stored signatures were deleted. */
  forgetLocation(orgId: number, locationId: number): void;
  /** Forgets a location that was deleted, also in the settings of antennas. Other processes do so within `refreshMs`. */
  forgetDeletedLocation(orgId: number, locationId: number): void;
  /** Stores what was learned, now. */
  save(): Promise<void>;
  stop(): Promise<void>;
};

export type LocatingKnowledgeOptions = {
  db: Database;
  log: Log;
  /** A clock that never goes back. */
  elapsedMs?: () => number;
};

type Organization = {
  usedAtMs: number;
  /** Settles when everything stored was loaded; undefined afterwards. */
  loading: Promise<void> | undefined;
  readerIds: Set<number>;
  /** Locations with stored signatures, and the digest of them. */
  locations: Set<number>;
  digest: string | undefined;
};

/** The settings of a reader and its antennas, as they were stored when they were read last. */
type KnownReader = {
  orgId: number;
  version: string;
  /** For ports without settings of their own. */
  defaults: AntennaSettings;
  antennas: ReadonlyMap<number, AntennaSettings>;
};

const noAntennas: ReadonlyMap<number, AntennaSettings> = new Map();

/**
 * Creates the inputs of decisions besides the asset: antenna settings, learned levels and signatures, and clocks.
 * Decisions read them from memory; they are refreshed and stored outside of ingestion. An organization is loaded when it
 * is used. From then on what has changed is read, in pieces, so that no organization takes the event loop for long.
 */
export function createLocatingKnowledge({
  db,
  log,
  elapsedMs = () => performance.now(),
}: LocatingKnowledgeOptions): LocatingKnowledge {
  const knowledge = createKnowledge();
  const save = createSaving(db, knowledge, ({ antenna, location }) =>
    Boolean(organizationOf(antenna)?.locations.has(location)),
  );
  const organizations = new Map<number, Organization>();
  const readers = new Map<number, KnownReader>();
  /** Organizations whose readers are being forgotten. */
  const leaving = new Map<number, Promise<void>>();
  const elsewhere = createReadersElsewhere(elapsedMs);
  /** Everything that was committed before this instant of the database's clock is known. */
  let cursorMs: number | undefined;
  const stopping = new AbortController();
  const running = Promise.all([every(refreshMs, refresh), every(saveMs, save)]);

  async function every(ms: number, work: () => Promise<void>): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      await delay(ms, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      await work().catch((error: unknown) =>
        log.warn({ err: error }, 'learned antenna levels and signatures could not be refreshed'),
      );
    }
  }

  async function refresh(): Promise<void> {
    await leaveIdle();
    const orgIds = [...organizations.keys()];
    if (orgIds.length === 0) return;
    const clockMs = await readClock(db);
    const sinceMs = cursorMs ?? clockMs - commitDelayMaxMs;
    for await (const changed of changedReaders(db, orgIds, sinceMs)) await applyChanges(changed);
    for await (const reports of readerReports(db, orgIds, sinceMs)) await applyReports(reports, sinceMs);
    const digests = await signatureDigests(db, orgIds);
    for (const [orgId, organization] of organizations) {
      const digest = digests.get(orgId);
      if (!organization.loading && digest !== organization.digest) await loadSignatures(orgId, organization, digest);
    }
    cursorMs = clockMs - commitDelayMaxMs;
  }

  async function leaveIdle(): Promise<void> {
    const isIdle = ({ loading, usedAtMs }: Organization) => !loading && elapsedMs() - usedAtMs > idleMs;
    const idle = [...organizations].filter(([, organization]) => isIdle(organization));
    if (idle.length === 0) return;
    // What was learned is loaded again when the organization is used again.
    await save();
    for (const [orgId, organization] of idle) if (isIdle(organization)) leave(orgId, organization);
  }

  async function applyChanges(changed: readonly ChangedReader[]): Promise<void> {
    // A change is reported more than once.
    const versions = new Map(changed.map(({ id, version }) => [id, version]));
    const stale = changed.filter(({ id, isDeleted, version }) =>
      isDeleted ? readers.has(id) : readers.get(id)?.version !== version,
    );
    for (const { id, isDeleted } of stale) if (isDeleted) await forgetReader(id);
    const present = stale.filter(({ isDeleted }) => !isDeleted);
    for (const [orgId, ids] of byOrganization(present)) {
      for await (const some of storedReaders(db, orgId, ids)) {
        await loadReaders(
          orgId,
          some.map((reader) => ({ ...reader, version: versions.get(reader.id) ?? reader.version })),
        );
      }
    }
  }

  async function loadReaders(orgId: number, stored: readonly StoredReader[]): Promise<void> {
    const ids = stored.map(({ id }) => id);
    const antennas = await storedAntennas(db, orgId, ids);
    const organization = organizations.get(orgId);
    if (!organization) return;
    const unknown = ids.filter((id) => !readers.has(id));
    for (const { id, version, defaults } of stored) {
      organization.readerIds.add(id);
      readers.set(id, { orgId, version, defaults, antennas: antennas.get(id) ?? noAntennas });
    }
    await loadLevels(orgId, unknown);
  }

  async function loadLevels(orgId: number, readerIds: readonly number[], sinceMs?: number): Promise<void> {
    for (let first = 0; first < readerIds.length; first += readersAtOnceMax) {
      const some = { readerIds: readerIds.slice(first, first + readersAtOnceMax), sinceMs };
      for await (const levels of storedLevels(db, orgId, some)) knowledge.restore({ levels, signatures: [] });
    }
  }

  /** Applies the times of last messages. They show what another process received, which also stores what it learns. */
  async function applyReports(reports: readonly ReaderReport[], sinceMs: number): Promise<void> {
    const theirs = reports.filter(({ id }) => readers.has(id) && elsewhere.isElsewhere(id));
    const arrived = theirs.filter(({ id }) => !elsewhere.isLoaded(id));
    const known = theirs.filter(({ id }) => elsewhere.isLoaded(id));
    for (const { id, lastMessageMs } of theirs) knowledge.reported(id, lastMessageMs);
    for (const [orgId, ids] of byOrganization(known)) await loadLevels(orgId, ids, sinceMs);
    for (const [orgId, ids] of byOrganization(arrived)) {
      await loadLevels(orgId, ids);
      for (const id of ids) elsewhere.markLoaded(id);
    }
  }

  async function loadSignatures(orgId: number, organization: Organization, digest: string | undefined): Promise<void> {
    const stored = new Set<number>();
    for await (const locations of signatureLocations(db, orgId)) {
      for (const location of locations) stored.add(location);
      const fresh = locations.filter((location) => !organization.locations.has(location));
      for (let first = 0; first < fresh.length; first += signaturesOfMax) {
        const some = fresh.slice(first, first + signaturesOfMax);
        knowledge.restore({ levels: [], signatures: await storedSignatures(db, orgId, some) });
      }
    }
    // Another process has deleted the stored signatures of these since the previous refresh.
    const deletedMs = Date.now() - 2 * refreshMs;
    for (const location of organization.locations) {
      if (stored.has(location)) continue;
      knowledge.forgetLocation(location, deletedMs);
      await nextTurn();
    }
    organization.locations = stored;
    organization.digest = digest;
  }

  function enter(orgId: number, usedAtMs: number): Organization {
    const organization: Organization = {
      ...{ usedAtMs, loading: undefined, digest: undefined },
      ...{ readerIds: new Set(), locations: new Set() },
    };
    organizations.set(orgId, organization);
    organization.loading = load(orgId, organization).then(
      () => {
        organization.loading = undefined;
      },
      (error: unknown) => {
        leave(orgId, organization);
        throw error;
      },
    );
    return organization;
  }

  async function load(orgId: number, organization: Organization): Promise<void> {
    await leaving.get(orgId);
    for await (const stored of storedReaders(db, orgId)) {
      await loadReaders(orgId, stored);
      for (const { id, lastMessageMs } of stored) {
        if (!elsewhere.isElsewhere(id)) continue;
        elsewhere.markLoaded(id);
        if (lastMessageMs !== null) knowledge.reported(id, lastMessageMs);
      }
    }
    const digests = await signatureDigests(db, [orgId]);
    await loadSignatures(orgId, organization, digests.get(orgId));
  }

  function leave(orgId: number, { readerIds }: Organization): void {
    organizations.delete(orgId);
    const before = leaving.get(orgId);
    const left = (async () => {
      await before;
      for (const id of readerIds) await forgetReader(id);
    })().finally(() => {
      if (leaving.get(orgId) === left) leaving.delete(orgId);
    });
    leaving.set(orgId, left);
  }

  /** Forgets a reader, and lets others have the event loop: it takes a time that grows with all antennas known. */
  async function forgetReader(id: number): Promise<void> {
    organizations.get(readers.get(id)?.orgId ?? 0)?.readerIds.delete(id);
    readers.delete(id);
    elsewhere.forget(id);
    knowledge.forgetReader(id);
    await nextTurn();
  }

  function forgetLocation(orgId: number, locationId: number): void {
    organizations.get(orgId)?.locations.delete(locationId);
    knowledge.forgetLocation(locationId, Date.now());
  }

  function organizationOf(antenna: AntennaKey): Organization | undefined {
    return organizations.get(readers.get(readerOf(antenna))?.orgId ?? 0);
  }

  return {
    knowledge,
    antennaSettings(key) {
      const reader = readers.get(readerOf(key));
      return reader?.antennas.get(portOf(key)) ?? reader?.defaults;
    },
    async prepare(orgIds) {
      const nowMs = elapsedMs();
      for (const orgId of orgIds) {
        const organization = organizations.get(orgId) ?? enter(orgId, nowMs);
        organization.usedAtMs = nowMs;
        if (organization.loading) await organization.loading;
      }
    },
    received: elsewhere.received,
    forgetLocation,
    forgetDeletedLocation(orgId, locationId) {
      forgetLocation(orgId, locationId);
      for (const id of organizations.get(orgId)?.readerIds ?? []) {
        const reader = readers.get(id);
        if (reader) readers.set(id, withoutLocation(reader, locationId));
      }
    },
    save,
    async stop() {
      stopping.abort();
      await running;
      await save().catch((error: unknown) =>
        log.warn({ err: error }, 'learned antenna levels and signatures could not be stored'),
      );
    },
  };
}

/** Returns a reader as it is after a location was deleted: antennas at the location use the reader's, or none. */
function withoutLocation(reader: KnownReader, deleted: LocationId): KnownReader {
  const { location } = reader.defaults;
  const defaults = location === deleted ? { ...reader.defaults, location: 0 } : reader.defaults;
  const isAtDeleted = (antenna: AntennaSettings) => antenna.location === deleted;
  const antennas = [...reader.antennas.values()].some(isAtDeleted)
    ? new Map(
        [...reader.antennas].map(([port, antenna]) => [
          port,
          isAtDeleted(antenna) ? { ...antenna, location: defaults.location } : antenna,
        ]),
      )
    : reader.antennas;
  return { ...reader, defaults, antennas };
}
