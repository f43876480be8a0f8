import { setTimeout as delay } from 'node:timers/promises';
import { numbers } from '../../kernel/database/array-literals.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import type { Log } from '../../kernel/log.js';
import { createSite, type Site } from '../../locating/index.js';
import { loadPictures, savePictures } from './learned-values.js';

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
  /** Returns what an organization's readers and locations have taught, in memory; `prepare` loads what is stored. */
  siteOf(orgId: number): Site;
  /** Loads the stored values of organizations that were not in use. Resolves at once for the others. */
  prepare(orgIds: Iterable<number>): Promise<void>;
  /** Records that this process has received messages from readers. */
  received(readerIds: readonly number[]): void;
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
  site: Site;
  usedAtMs: number;
  /** Settles when everything stored is loaded; undefined afterwards. */
  loading: Promise<void> | undefined;
};

/**
 * Creates the inputs of decisions besides the asset: pictures of locations, usual gaps and clocks. Decisions read them
 * from memory; they are refreshed and stored outside of ingestion. An organization is loaded when it is first used;
 * afterwards only changes are read.
 */
export function createLocatingKnowledge({
  db,
  log,
  elapsedMs = () => performance.now(),
}: LocatingKnowledgeOptions): LocatingKnowledge {
  const organizations = new Map<number, Organization>();
  /** When this process last received something from each reader. */
  const receivedMs = new Map<number, number>();
  /** Everything that was committed before this instant of the database's clock is known. */
  let cursorMs: number | undefined;
  let lastSave = Promise.resolve();
  const stopping = new AbortController();
  const running = Promise.all([every(refreshMs, refresh), every(saveMs, save)]);

  async function every(ms: number, work: () => Promise<void>): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      await delay(ms, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      await work().catch((error: unknown) => log.warn({ err: error }, 'pictures of locations could not be refreshed'));
    }
  }

  async function refresh(): Promise<void> {
    await leaveIdle();
    if (organizations.size === 0) return;
    const clockMs = await readClock(db);
    const sinceMs = cursorMs ?? clockMs - commitDelayMaxMs;
    for (const [orgId, { site, loading }] of organizations)
      if (!loading) await loadPictures(db, orgId, { site, sinceMs });
    await followElsewhere([...organizations.keys()], sinceMs);
    cursorMs = clockMs - commitDelayMaxMs;
  }

  /** Notes until when readers have reported that send to other processes. */
  async function followElsewhere(orgIds: readonly number[], sinceMs: number): Promise<void> {
    const isElsewhere = (id: number) => elapsedMs() - (receivedMs.get(id) ?? Number.NEGATIVE_INFINITY) > elsewhereMs;
    for (const { org_id: orgId, id, last_message_at: lastMs } of await lastMessages(db, orgIds, sinceMs)) {
      if (isElsewhere(id)) organizations.get(orgId)?.site.reported(id, lastMs);
    }
  }

  async function leaveIdle(): Promise<void> {
    const isIdle = ({ loading, usedAtMs }: Organization) => !loading && elapsedMs() - usedAtMs > idleMs;
    if (![...organizations.values()].some(isIdle)) return;
    // The learned values are loaded again when the organization is used again.
    await save();
    for (const [orgId, organization] of organizations) if (isIdle(organization)) organizations.delete(orgId);
    for (const [id, atMs] of receivedMs) if (elapsedMs() - atMs > idleMs) receivedMs.delete(id);
  }

  function enter(orgId: number): Organization {
    const organization: Organization = { site: createSite(), usedAtMs: elapsedMs(), loading: undefined };
    organizations.set(orgId, organization);
    const loading = (async () => {
      await loadPictures(db, orgId, { site: organization.site, sinceMs: 0 });
      await followElsewhere([orgId], 0);
    })();
    organization.loading = loading.then(
      () => {
        organization.loading = undefined;
      },
      (error: unknown) => {
        organizations.delete(orgId);
        throw error;
      },
    );
    return organization;
  }

  /** Calls run one after another, so when a call resolves, everything learned before it is stored. */
  function save(): Promise<void> {
    const saved = lastSave.then(async () => {
      for (const [orgId, { site }] of organizations) await savePictures(db, orgId, site);
    });
    lastSave = saved.catch(() => {});
    return saved;
  }

  return {
    // An organization can leave between `prepare` and its use: what this use teaches is then not stored.
    siteOf: (orgId) => organizations.get(orgId)?.site ?? createSite(),
    async prepare(orgIds) {
      for (const orgId of orgIds) {
        const organization = organizations.get(orgId) ?? enter(orgId);
        organization.usedAtMs = elapsedMs();
        if (organization.loading) await organization.loading;
      }
    },
    received(readerIds) {
      const nowMs = elapsedMs();
      for (const id of readerIds) receivedMs.set(id, nowMs);
    },
    save,
    async stop() {
      stopping.abort();
      await running;
      await save().catch((error: unknown) => log.warn({ err: error }, 'pictures of locations could not be stored'));
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
