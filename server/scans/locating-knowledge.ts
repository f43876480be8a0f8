import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/client.js';
import { createKnowledge, type Knowledge } from '../locating/index.js';
import type { AntennaKey, AntennaSettings } from '../locating/types.js';
import type { Log } from '../log.js';
import { readStoredKnowledge, saveLevels, saveSignatures, type StoredKnowledge } from './knowledge-queries.js';

/** How often the changes of other processes are read, for organizations in use. */
const refreshMs = 2000;
/** How often what was learned is stored: a crash loses this much of it, and never a read. */
const saveMs = 5000;
/** An organization without reads for this long is removed from memory. */
const idleMs = 600_000;
/** A reader that this process has received nothing from for this long reports to another process. */
const elsewhereMs = 60_000;
/** Rows in one statement. */
const rowsMax = 2000;

export type LocatingKnowledge = {
  knowledge: Knowledge;
  antennaSettings(key: AntennaKey): AntennaSettings | undefined;
  /** Loads what is stored of organizations that were not in use. Resolves at once for the others. */
  prepare(orgIds: Iterable<number>): Promise<void>;
  /** Records that this process received something from readers. */
  received(readerIds: readonly number[]): void;
  /** Forgets what was learned of a location. Call it after the stored signatures were deleted. */
  forgetLocation(orgId: number, locationId: number): void;
  /** Stores what was learned, now. */
  save(): Promise<void>;
  stop(): Promise<void>;
};

type Organization = {
  usedAtMs: number;
  readers: Map<number, AntennaSettings>;
  antennas: Map<AntennaKey, AntennaSettings>;
  locations: Set<number>;
};

/**
 * Creates the inputs of decisions besides the asset: antenna settings, learned levels and signatures, and clocks.
 * Decisions read them from memory; they are refreshed and stored outside of ingestion.
 */
export function createLocatingKnowledge({ db, log }: { db: Database; log: Log }): LocatingKnowledge {
  const knowledge = createKnowledge();
  const organizations = new Map<number, Organization>();
  const loading = new Map<number, Promise<void>>();
  /** When this process last received something from each reader. */
  const receivedMs = new Map<number, number>();
  const organizationOfReader = new Map<number, number>();
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
    const nowMs = performance.now();
    for (const [orgId, { usedAtMs }] of organizations) {
      if (nowMs - usedAtMs > idleMs) forget(orgId);
      else await load(orgId, usedAtMs);
    }
  }

  async function load(orgId: number, usedAtMs: number): Promise<void> {
    const stored = await readStoredKnowledge(db, orgId);
    const before = organizations.get(orgId);
    const organization: Organization = {
      usedAtMs: before?.usedAtMs ?? usedAtMs,
      readers: new Map(stored.readers.map(({ id, defaults }) => [id, defaults])),
      antennas: new Map(stored.antennas.map(({ readerId, port, ...settings }) => [readerId * 65_536 + port, settings])),
      locations: new Set(stored.signatures.map(({ location }) => location)),
    };
    organizations.set(orgId, organization);
    for (const { id } of stored.readers) organizationOfReader.set(id, orgId);
    for (const id of before?.readers.keys() ?? []) if (!organization.readers.has(id)) forgetReader(id);
    // Another process has deleted the stored signatures of these since the previous refresh.
    const deletedMs = Date.now() - 2 * refreshMs;
    for (const id of before?.locations ?? []) {
      if (!organization.locations.has(id)) knowledge.forgetLocation(id, deletedMs);
    }
    knowledge.restore(stored);
    noteReportsElsewhere(stored);
  }

  /** The time of the last message shows what another process received. */
  function noteReportsElsewhere({ readers }: StoredKnowledge): void {
    const nowMs = performance.now();
    for (const { id, lastMessageMs } of readers) {
      const isElsewhere = nowMs - (receivedMs.get(id) ?? Number.NEGATIVE_INFINITY) > elsewhereMs;
      if (isElsewhere && lastMessageMs !== null) knowledge.reported(id, lastMessageMs);
    }
  }

  function forget(orgId: number): void {
    for (const id of organizations.get(orgId)?.readers.keys() ?? []) forgetReader(id);
    organizations.delete(orgId);
  }

  function forgetReader(id: number): void {
    knowledge.forgetReader(id);
    receivedMs.delete(id);
    organizationOfReader.delete(id);
  }

  async function save(): Promise<void> {
    const { levels, signatures } = knowledge.takeChanges();
    const stored = new Set([...organizations.values()].flatMap(({ locations }) => [...locations]));
    const isStored = (location: number) => stored.has(location);
    for (let first = 0; first < levels.length; first += rowsMax) {
      await saveLevels(db, levels.slice(first, first + rowsMax));
    }
    for (let first = 0; first < signatures.length; first += rowsMax) {
      await saveSignatures(db, signatures.slice(first, first + rowsMax), isStored);
    }
  }

  return {
    knowledge,
    antennaSettings(key) {
      const readerId = Math.floor(key / 65_536);
      const organization = organizations.get(organizationOfReader.get(readerId) ?? 0);
      return organization?.antennas.get(key) ?? organization?.readers.get(readerId);
    },
    async prepare(orgIds) {
      const nowMs = performance.now();
      for (const orgId of orgIds) {
        const known = organizations.get(orgId);
        if (known) {
          known.usedAtMs = nowMs;
          continue;
        }
        let underWay = loading.get(orgId);
        if (!underWay) {
          underWay = load(orgId, nowMs).finally(() => loading.delete(orgId));
          loading.set(orgId, underWay);
        }
        await underWay;
      }
    },
    received(readerIds) {
      const nowMs = performance.now();
      for (const id of readerIds) receivedMs.set(id, nowMs);
    },
    forgetLocation(orgId, locationId) {
      organizations.get(orgId)?.locations.delete(locationId);
      knowledge.forgetLocation(locationId, Date.now());
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
