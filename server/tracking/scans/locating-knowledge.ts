import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { numbers } from '../../kernel/database/array-literals.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import type { Log } from '../../kernel/log.js';
import { type AntennaKey, type AntennaSettings, createKnowledge, type Knowledge } from '../../locating/index.js';
import { createAntennaSettings } from './antenna-settings.js';
import { createLearnedValues } from './learned-values.js';

/** How often the changes of other processes are read, for organizations in use. */
const refreshMs = 2000;
/** How often learned values are stored. A crash loses what was learned in this time, but never a read. */
const saveMs = 5000;
/** An organization without reads for this long is removed from memory. */
const idleMs = 600_000;
/** If this process has received nothing from a reader for this long, the reader sends to another process. */
const elsewhereMs = 60_000;
/** The maximum time between the instant that a transaction writes into a row and its commit. */
const commitDelayMaxMs = 15_000;

export type LocatingKnowledge = {
  knowledge: Knowledge;
  antennaSettings(key: AntennaKey): AntennaSettings | undefined;
  /** Loads the stored values of organizations that were not in use. Resolves at once for the others. */
  prepare(orgIds: Iterable<number>): Promise<void>;
  /** Records that this process has received messages from readers. */
  received(readerIds: readonly number[]): void;
  /** Forgets a location that was deleted, also in the settings of antennas. Other processes do so within `refreshMs`. */
  forgetDeletedLocation(orgId: number, locationId: number): void;
  /** Stores now what was learned. */
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
  /** Settles when everything stored is loaded; undefined afterwards. */
  loading: Promise<void> | undefined;
};

/**
 * Creates the inputs of decisions besides the asset: antenna settings, learned levels and signatures, and clocks.
 * Decisions read them from memory; they are refreshed and stored outside of ingestion. An organization is loaded when
 * it is first used; afterwards only changes are read.
 */
export function createLocatingKnowledge({
  db,
  log,
  elapsedMs = () => performance.now(),
}: LocatingKnowledgeOptions): LocatingKnowledge {
  const knowledge = createKnowledge();
  const organizations = new Map<number, Organization>();
  const settings = createAntennaSettings(db);
  const learned = createLearnedValues(db, knowledge, () => [...organizations.keys()]);
  /** Organizations whose readers are being forgotten. */
  const leaving = new Map<number, Promise<void>>();
  /** When this process last received something from each reader. */
  const receivedMs = new Map<number, number>();
  /** Everything that was committed before this instant of the database's clock is known. */
  let cursorMs: number | undefined;
  const stopping = new AbortController();
  const running = Promise.all([every(refreshMs, refresh), every(saveMs, learned.save)]);

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
    const { added, deleted } = await settings.refresh(orgIds, sinceMs);
    for (const id of deleted) await forgetReader(id);
    await learned.forgetResets(db, sinceMs);
    for (const [orgId, ids] of added) await learned.loadLevels(orgId, ids);
    for (const [orgId, ids] of await followElsewhere(orgIds, sinceMs)) {
      await learned.loadLevels(orgId, ids, sinceMs);
      await learned.loadSignatures(orgId, sinceMs);
    }
    cursorMs = clockMs - commitDelayMaxMs;
  }

  /** Records what other processes have received since an instant, and returns the readers by organization. */
  async function followElsewhere(orgIds: readonly number[], sinceMs: number): Promise<Map<number, number[]>> {
    const readers = new Map<number, number[]>();
    const isElsewhere = (id: number) => elapsedMs() - (receivedMs.get(id) ?? Number.NEGATIVE_INFINITY) > elsewhereMs;
    for (const { org_id: orgId, id, last_message_at: lastMs } of await lastMessages(db, orgIds, sinceMs)) {
      if (!settings.knows(id) || !isElsewhere(id)) continue;
      knowledge.reported(id, lastMs);
      const ids = readers.get(orgId);
      if (ids) ids.push(id);
      else readers.set(orgId, [id]);
    }
    return readers;
  }

  async function leaveIdle(): Promise<void> {
    const isIdle = ({ loading, usedAtMs }: Organization) => !loading && elapsedMs() - usedAtMs > idleMs;
    const idle = [...organizations].filter(([, organization]) => isIdle(organization));
    if (idle.length === 0) return;
    // The learned values are loaded again when the organization is used again.
    await learned.save();
    for (const [orgId, organization] of idle) if (isIdle(organization)) leave(orgId);
  }

  function enter(orgId: number, usedAtMs: number): Organization {
    const organization: Organization = { usedAtMs, loading: undefined };
    organizations.set(orgId, organization);
    organization.loading = load(orgId).then(
      () => {
        organization.loading = undefined;
      },
      (error: unknown) => {
        leave(orgId);
        throw error;
      },
    );
    return organization;
  }

  async function load(orgId: number): Promise<void> {
    await leaving.get(orgId);
    await learned.loadLevels(orgId, await settings.load(orgId));
    await learned.loadSignatures(orgId);
    await followElsewhere([orgId], 0);
  }

  function leave(orgId: number): void {
    organizations.delete(orgId);
    const before = leaving.get(orgId);
    const readerIds = settings.forget(orgId);
    const left = (async () => {
      await before;
      for (const id of readerIds) await forgetReader(id);
    })().finally(() => {
      if (leaving.get(orgId) === left) leaving.delete(orgId);
    });
    leaving.set(orgId, left);
  }

  /**
   * Forgets a reader. Yields the event loop afterwards, since the time for this grows with the number of known
   * antennas.
   */
  async function forgetReader(id: number): Promise<void> {
    receivedMs.delete(id);
    knowledge.forgetReader(id);
    await nextTurn();
  }

  return {
    knowledge,
    antennaSettings: settings.get,
    async prepare(orgIds) {
      const nowMs = elapsedMs();
      for (const orgId of orgIds) {
        const organization = organizations.get(orgId) ?? enter(orgId, nowMs);
        organization.usedAtMs = nowMs;
        if (organization.loading) await organization.loading;
      }
    },
    received(readerIds) {
      const nowMs = elapsedMs();
      for (const id of readerIds) receivedMs.set(id, nowMs);
    },
    forgetDeletedLocation(orgId, locationId) {
      knowledge.forgetLocation(locationId, Date.now());
      settings.forgetLocation(orgId, locationId);
    },
    save: learned.save,
    async stop() {
      stopping.abort();
      await running;
      await learned
        .save()
        .catch((error: unknown) =>
          log.warn({ err: error }, 'learned antenna levels and signatures could not be stored'),
        );
    },
  };
}

/** Returns the database's clock in epoch milliseconds. */
async function readClock(db: Pick<Database, '$queryRaw'>): Promise<number> {
  const [row] = await db.$queryRaw<[{ now_ms: number }]>`
    SELECT round(date_part('epoch', clock_timestamp()) * 1000) AS now_ms`;
  return row.now_ms;
}

/** Returns when the readers of organizations sent their last messages, if they did since an instant. */
function lastMessages(
  db: Pick<Database, '$queryRaw'>,
  orgIds: readonly number[],
  sinceMs: number,
): Promise<{ org_id: number; id: number; last_message_at: number }[]> {
  return db.$queryRaw<{ org_id: number; id: number; last_message_at: number }[]>`
    SELECT org_id, id, ${epochMs('last_message_at')} AS last_message_at
      FROM readers
     WHERE org_id = ANY (${numbers(orgIds)}::int[]) AND deleted_at IS NULL AND last_message_at >= ${instant(sinceMs)}`;
}
