import { lockClasses } from '../../kernel/database/locks.js';
import { defineStatement, type StatementRunner } from '../../kernel/database/statement.js';
import {
  type AntennaSettings,
  type AssetState,
  decodeState,
  freshState,
  type LocationId,
} from '../../locating/index.js';
import type { ReadBatch } from './batch.js';

const treeLockStatement = (name: string, lock: string) =>
  defineStatement<readonly number[], { org_id: number; is_locked: boolean }>(
    name,
    ({ rows }) => `
    SELECT o.org_id, ${lock} AS is_locked
      FROM ${rows('o', (orgIds) => orgIds, { org_id: ['int', (orgId) => orgId] })}`,
  );

const waitForTrees = treeLockStatement(
  'wait_for_trees',
  `pg_advisory_xact_lock_shared(${lockClasses.tree}, o.org_id)::text = ''`,
);
const tryTrees = treeLockStatement('try_trees', `pg_try_advisory_xact_lock_shared(${lockClasses.tree}, o.org_id)`);

/**
 * Locks the location trees of organizations, in the order of the ids, until the end of the transaction, so that no
 * location is deleted meanwhile. Without `wait`, organizations whose tree is being changed are skipped.
 *
 * @returns the organizations that were skipped
 */
export async function lockTrees(
  runner: StatementRunner,
  orgIds: readonly number[],
  { wait }: { wait: boolean },
): Promise<number[]> {
  const rows = await runner.run(
    wait ? waitForTrees : tryTrees,
    orgIds.toSorted((one, other) => one - other),
  );
  return rows.flatMap(({ org_id, is_locked }) => (is_locked ? [] : [org_id]));
}

/**
 * A live reader of the batch with one of its antennas; the antenna's columns are null for a reader without antennas.
 */
type ReaderRow = {
  /** The number of the reader among the senders of the batch, and of the antenna among its antennas, from 1. */
  reader_no: number;
  antenna_no: number | null;
  resolution_seconds: number;
  use_receipt_time: boolean;
  location_rule: string;
  clock_offset_ms: number;
  count_private_addresses: boolean;
  location_id: number | null;
  min_rssi_dbm: number | null;
  kind: string | null;
  /** Whether any asset of the organization is in another one. */
  has_containers: boolean;
};

/** An asset and its position, whose row is locked; the position's columns are null for an asset without a position. */
export type PositionRow = {
  org_id: number;
  asset_id: number;
  location_id: number | null;
  reader_id: number | null;
  antenna: number | null;
  last_seen_ms: number | null;
  since_ms: number | null;
  last_event_ms: number | null;
  last_event_location_id: number | null;
  locating: string | null;
};

/** A tag value of the batch that is attached to an asset, with the asset's position, or to a location. */
type TagRow = Omit<PositionRow, 'asset_id'> & {
  /** The number of the tag value in the batch, from 1. */
  no: number;
  tag_id: number;
  asset_id: number | null;
  labeled_location_id: number | null;
};

const epochMs = (column: string) => `round(date_part('epoch', ${column}) * 1000)`;

/** Returns SQL that joins the positions of `asset` as `p` and locks them in the order of `asset`. */
export const lockedPosition = (asset: string) => `
  LEFT JOIN LATERAL (
    SELECT r.location_id, r.reader_id, r.antenna, ${epochMs('r.asset_last_seen')} AS last_seen_ms,
           ${epochMs('r.located_since')} AS since_ms, ${epochMs('r.last_event_at')} AS last_event_ms,
           r.last_event_location_id, r.locating
      FROM asset_positions r
     WHERE r.org_id = ${asset}.org_id AND r.asset_id = ${asset}.asset_id
       FOR NO KEY UPDATE
  ) p ON true`;

type AssetsOfOrganization = { orgId: number; assetIds: readonly number[] };

/** Returns SQL for whether any asset of an organization is in another one; `EXISTS` could be planned as a hash of all rows. */
const hasContainers = (orgId: string) =>
  `((SELECT true FROM asset_containments k WHERE k.org_id = ${orgId} AND k.until IS NULL LIMIT 1) IS NOT NULL)`;

const lockStatement = defineStatement<AssetsOfOrganization, PositionRow & { has_containers: boolean }>(
  'lock_positions',
  ({ value, rows }) => `
    SELECT u.*, p.*, ${hasContainers(value('int', ({ orgId }) => orgId))} AS has_containers
      FROM (SELECT ${value('int', ({ orgId }) => orgId)} AS org_id, asset.asset_id
              FROM ${rows('asset', ({ assetIds }) => assetIds, { asset_id: ['int', (assetId) => assetId] })}) u
      ${lockedPosition('u')}`,
);

/** Locks the positions of some assets of an organization. The ids must be sorted, as rows are locked in this order. */
export function lockPositions(
  runner: StatementRunner,
  orgId: number,
  assetIds: readonly number[],
): Promise<(PositionRow & { has_containers: boolean })[]> {
  return runner.run(lockStatement, { orgId, assetIds });
}

/** An antenna without a live location has the location of its reader, if that is live. */
const readersStatement = defineStatement<ReadBatch, ReaderRow>(
  'resolve_readers',
  ({ numberedRows }) => `
    WITH antenna AS MATERIALIZED (
      SELECT * FROM ${numberedRows('g', ({ antennas }) => antennas, {
        reader_no: ['int', ({ readerNumber }) => readerNumber],
        port: ['int', ({ port }) => port],
      })}
    )
    SELECT h.no AS reader_no, g.no AS antenna_no, r.resolution_seconds, r.use_receipt_time,
           r.location_rule, r.clock_offset_ms::float8 AS clock_offset_ms, r.count_private_addresses,
           coalesce(al.id, rl.id) AS location_id, a.min_rssi_dbm, a.kind, ${hasContainers('r.org_id')} AS has_containers
      FROM ${numberedRows('h', ({ senders }) => senders, {
        org_id: ['int', ({ orgId }) => orgId],
        reader_id: ['int', ({ readerId }) => readerId],
      })}
     CROSS JOIN LATERAL (
        SELECT c.id, c.org_id, c.location_id, c.resolution_seconds, c.use_receipt_time, c.location_rule, c.clock_offset_ms,
               c.count_private_addresses
          FROM readers c
         WHERE c.id = h.reader_id AND c.org_id + 0 = h.org_id AND c.deleted_at IS NULL
         LIMIT 1
      ) r
      LEFT JOIN antenna g ON g.reader_no = h.no
      LEFT JOIN LATERAL (
        SELECT c.location_id, c.min_rssi_dbm, c.kind
          FROM reader_antennas c
         WHERE c.reader_id = r.id AND c.port = g.port
         LIMIT 1
      ) a ON true
      LEFT JOIN LATERAL (
        SELECT l.id FROM locations l
         WHERE l.id = a.location_id AND l.org_id + 0 = r.org_id AND l.deleted_at IS NULL
         LIMIT 1
      ) al ON true
      LEFT JOIN LATERAL (
        SELECT l.id FROM locations l
         WHERE l.id = r.location_id AND l.org_id + 0 = r.org_id AND l.deleted_at IS NULL
         LIMIT 1
      ) rl ON true`,
);

/**
 * A value matches as stored first, otherwise by normal form; a live tag has a live parent. `+ 0` keeps the planner from
 * using two wrong indexes: for a plain ORDER BY id it would scan all tags by id, and for a plain org_id all rows of the
 * organization.
 */
const tagsStatement = defineStatement<ReadBatch, TagRow>(
  'resolve_tags',
  ({ numberedRows }) => `
    SELECT t.*, p.*
      FROM (
        SELECT g.no, g.org_id, t.id AS tag_id, t.asset_id, t.location_id AS labeled_location_id
          FROM ${numberedRows('g', ({ tags }) => tags, {
            org_id: ['int', ({ orgId }) => orgId],
            type: ['text', ({ type }) => type],
            value: ['text', ({ value }) => value],
          })}
         CROSS JOIN LATERAL (
           (SELECT e.id, e.asset_id, e.location_id
              FROM tags e
             WHERE e.org_id = g.org_id AND e.tag_type = g.type AND e.value = g.value AND e.deleted_at IS NULL
             LIMIT 1)
           UNION ALL
           (SELECT n.id, n.asset_id, n.location_id
              FROM tags n
             WHERE n.org_id + 0 = g.org_id AND n.tag_type = g.type
               AND tag_normal_form(n.tag_type, n.value) = tag_normal_form(g.type, g.value) AND n.deleted_at IS NULL
             ORDER BY n.id + 0
             LIMIT 1)
           LIMIT 1
         ) t
         ORDER BY t.asset_id
        OFFSET 0
      ) t
      ${lockedPosition('t')}`,
);

/**
 * Finds the readers, antennas and tags of a batch, and locks the positions of the tagged assets in the order of the
 * asset ids. Both statements are sent at once.
 */
export async function resolveBatch(runner: StatementRunner, batch: ReadBatch): Promise<ResolvedBatch> {
  const [readers, tags] = await Promise.all([runner.run(readersStatement, batch), runner.run(tagsStatement, batch)]);
  return numberedAsBatch(batch, readers, tags);
}

/** The settings of a live reader. */
export type ReaderSettings = {
  windowMs: number;
  usesReceiptTime: boolean;
  rule: AntennaSettings['rule'];
  clockOffsetMs: number;
  /** Whether private BLE addresses that are not attached to anything count as unknown tags. */
  countsPrivateAddresses: boolean;
};

export type BatchAntenna = Pick<AntennaSettings, 'location' | 'kind'> & {
  /** Weaker reads are dropped; null without a threshold. */
  rssiMinDbm: number | null;
};

/** What a tag value is attached to. */
export type TagOwner = { assetId: number; tagId: number } | { locationId: number };

/** An asset's position, whose row is locked until the end of the transaction. 0 means no location. */
export type LockedPosition = {
  orgId: number;
  assetId: number;
  location: LocationId;
  readerId: number | null;
  antenna: number | null;
  lastSeenMs: number;
  sinceMs: number;
  /** As the row has it; later than `sinceMs` only where a clock was ahead. */
  storedSinceMs: number;
  /** Null if the newest event is unknown. */
  lastEventMs: number | null;
  lastEventLocation: LocationId;
  state: AssetState;
};

/** The data of the database about a batch, numbered like the batch. */
export type ResolvedBatch = {
  /** Without readers that were deleted, and their antennas. */
  readers: (ReaderSettings | undefined)[];
  antennas: (BatchAntenna | undefined)[];
  /** By the number of the tag; without tags that are not attached to anything. */
  tags: Map<number, TagOwner>;
  /** Each asset that was read once, ordered by id. */
  positions: PositionRow[];
  /** The organizations in which any asset is in another one. */
  orgIdsWithContainers: Set<number>;
};

/** Numbers rows like the batch, from 0. */
function numberedAsBatch(
  { senders }: ReadBatch,
  readers: readonly ReaderRow[],
  tags: readonly TagRow[],
): ResolvedBatch {
  const orgIdsWithContainers = new Set<number>();
  const resolved: ResolvedBatch = { readers: [], antennas: [], tags: new Map(), positions: [], orgIdsWithContainers };
  for (const row of readers) {
    resolved.readers[row.reader_no - 1] = readerOf(row);
    const sender = senders[row.reader_no - 1];
    if (sender && row.has_containers) orgIdsWithContainers.add(sender.orgId);
    if (row.antenna_no !== null) resolved.antennas[row.antenna_no - 1] = antennaOf(row);
  }
  for (const row of tags) {
    resolved.tags.set(row.no - 1, ownerOf(row));
    if (isOfAsset(row) && resolved.positions.at(-1)?.asset_id !== row.asset_id) resolved.positions.push(row);
  }
  return resolved;
}

function readerOf(row: ReaderRow): ReaderSettings {
  return {
    windowMs: row.resolution_seconds * 1000,
    usesReceiptTime: row.use_receipt_time,
    rule: row.location_rule === 'newest' ? 'newest' : 'evidence',
    clockOffsetMs: row.clock_offset_ms,
    countsPrivateAddresses: row.count_private_addresses,
  };
}

function antennaOf({ location_id: location, min_rssi_dbm: rssiMinDbm, kind }: ReaderRow): BatchAntenna {
  return { location: location ?? 0, rssiMinDbm, kind: kind === 'portal' ? 'portal' : 'zone' };
}

function isOfAsset(row: TagRow): row is TagRow & { asset_id: number } {
  return row.asset_id !== null;
}

function ownerOf(row: TagRow): TagOwner {
  if (isOfAsset(row)) return { assetId: row.asset_id, tagId: row.tag_id };
  return { locationId: row.labeled_location_id ?? 0 };
}

/**
 * Returns a position from the future as if the asset had been seen there just before an instant. What its antennas have
 * heard has times in the future too, and is forgotten.
 */
export function seenBefore(position: LockedPosition, atMs: number): LockedPosition {
  const lastSeenMs = Math.min(position.lastSeenMs, atMs - 1);
  const sinceMs = Math.min(position.sinceMs, lastSeenMs);
  return { ...position, lastSeenMs, sinceMs, state: freshState({ location: position.location, sinceMs, lastSeenMs }) };
}

/** Returns the position of an asset, or undefined if it was never seen before. */
export function positionOf(row: PositionRow): LockedPosition | undefined {
  const { last_seen_ms: lastSeenMs, since_ms: sinceMs, locating } = row;
  if (lastSeenMs === null || sinceMs === null) return undefined;
  const location = row.location_id ?? 0;
  return {
    orgId: row.org_id,
    assetId: row.asset_id,
    location,
    sinceMs,
    storedSinceMs: sinceMs,
    lastSeenMs,
    readerId: row.reader_id,
    antenna: row.antenna,
    lastEventMs: row.last_event_ms,
    lastEventLocation: row.last_event_location_id ?? 0,
    state: decodeState(locating) ?? freshState({ location, sinceMs, lastSeenMs }),
  };
}
