import { sqlState } from '../../kernel/database/faults.js';
import { defineStatement } from '../../kernel/database/statement.js';
import type { ParameterWriter, Statement, StatementRunner } from '../../kernel/database/statement.js';
import { afterListing } from '../../kernel/database/position-order.js';
import { noticesOf, positionsChannel } from '../live/notices.js';
import { at, keepRejected, updateHeartbeats } from './reader-storage.js';
import {
  eventColumns,
  nullable,
  positionColumns,
  type ReaderChanges,
  type ScanChanges,
  type UnknownCount,
} from './scan-changes.js';

export type StoredRow = {
  stored_events: number;
  all_positions: boolean;
  notices: number;
  now_ms: number;
  /** The readers whose heartbeats were stored, separated by spaces. */
  stored_heartbeats: string;
};

/** Another transaction stores the first position of an asset, or deletes the asset: the batch has to be repeated. */
export class OvertakenError extends Error {
  constructor(options?: ErrorOptions) {
    super('an asset was seen for the first time, or deleted, at the same time', options);
    this.name = 'OvertakenError';
  }
}

/** The SQLSTATE that `require_all_stored` raises. */
const overtakenState = 'WA001';

type StoreInput = Omit<ScanChanges, 'announced'> &
  ReaderChanges & {
    unknown: readonly UnknownCount[];
    notices: readonly string[];
    /** The number of positions to store; the statement fails if it stores fewer. */
    positionCount: number;
  };

type Parameters = Pick<ParameterWriter<StoreInput>, 'value' | 'rows'>;

/** Parts that only some batches need. Without them the statement is cheaper, and has another text. */
type Contents = { isRepeatable: boolean; visits: boolean; unknown: boolean; readers: boolean; rejected: boolean };

/** At most 32 texts, each made when it is first needed. */
const statements = new Map<string, Statement<StoreInput, StoredRow>>();

function statementFor(contents: Contents): Statement<StoreInput, StoredRow> {
  const key = Object.values(contents).map(Number).join('');
  const known = statements.get(key);
  if (known) return known;
  const newPositions = contents.visits ? ' + (SELECT count(*) FROM new_position)' : '';
  const statement = defineStatement<StoreInput, StoredRow>(
    `store_changes_${key}`,
    ({ value, rows }) => `
    WITH ${changesOf({ value, rows }, contents).join(', ')}
    SELECT (SELECT count(*)::int FROM event) AS stored_events,
           require_all_stored((SELECT count(*) FROM position)${newPositions}, ${value('int', ({ positionCount }) => positionCount)}) AS all_positions,
           (SELECT count(pg_notify('${positionsChannel}', n.notice))::int
              FROM ${rows('n', ({ notices }) => notices, { notice: ['text', (notice) => notice] })}) AS notices,
           (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms,
           ${contents.readers ? "coalesce((SELECT string_agg(id::text, ' ') FROM heartbeat), '')" : "''"} AS stored_heartbeats`,
  );
  statements.set(key, statement);
  return statement;
}

/** Returns the expressions of the statement's WITH clause. Each expression changes one table. */
function changesOf(parameters: Parameters, contents: Contents): string[] {
  const parts = [
    `event AS (${appendEvents(parameters, contents)} RETURNING 1)`,
    `position AS (${updatePositions(parameters)} RETURNING 1)`,
  ];
  if (contents.visits) {
    parts.push(`new_position AS (${insertPositions(parameters)} RETURNING 1)`, `visit AS (${storeVisits(parameters)})`);
  }
  if (contents.unknown) parts.push(`unknown_tag AS (${countUnknown(parameters)})`);
  if (contents.readers) parts.push(`heartbeat AS (${updateHeartbeats(parameters)} RETURNING r.id)`);
  if (contents.rejected) parts.push(`rejection AS (${keepRejected(parameters)})`);
  return parts;
}

export type StoreOptions = {
  unknown: readonly UnknownCount[];
  readers: ReaderChanges | undefined;
  /** Whether an event that is stored already is skipped; otherwise the statement fails. */
  isRepeatable: boolean;
  /** Whether this is the last statement of the transaction, which is committed with it. */
  isLast: boolean;
};

/**
 * Stores changes in one statement. Updated positions were locked before. An asset that was never seen before gets a
 * position, unless another transaction has just stored one, or deletes the asset.
 *
 * @throws OvertakenError if not all positions could be stored, and a unique violation if an event is stored that no
 *   position records, unless `isRepeatable`
 */
export function storeChanges(
  runner: StatementRunner,
  { announced, ...changes }: ScanChanges,
  { unknown, readers, isRepeatable, isLast }: StoreOptions,
): Promise<StoredRow> {
  const { known, unseen, visits } = changes;
  const { heartbeats, rejected } = readers ?? { heartbeats: [], rejected: [] };
  const statement = statementFor({
    isRepeatable,
    visits: unseen.length + visits.length > 0,
    unknown: unknown.length > 0,
    readers: heartbeats.length > 0,
    rejected: rejected.length > 0,
  });
  const positionCount = known.length + unseen.length;
  const input: StoreInput = { ...changes, unknown, heartbeats, rejected, notices: noticesOf(announced), positionCount };
  return storedRow(isLast ? runner.runLast(statement, input) : runner.run(statement, input));
}

async function storedRow(answer: Promise<StoredRow[]>): Promise<StoredRow> {
  const [row] = await answer.catch((error: unknown) => {
    throw sqlState(error) === overtakenState ? new OvertakenError({ cause: error }) : error;
  });
  return row ?? { stored_events: 0, all_positions: false, notices: 0, now_ms: Number.NaN, stored_heartbeats: '' };
}

function appendEvents({ rows }: Parameters, { isRepeatable }: Contents): string {
  return `
    INSERT INTO scan_events (org_id, asset_id, event_observed_at, location_id, reader_id, antenna, rssi_dbm, received_at)
    SELECT e.org_id, e.asset_id, ${at('e.at')}, e.location_id, e.reader_id, e.antenna, e.rssi, ${at('e.received')}
      FROM ${rows('e', ({ events }) => events, eventColumns)}
    ${isRepeatable ? 'ON CONFLICT (org_id, asset_id, event_observed_at) DO NOTHING' : ''}`;
}

/**
 * Updates positions, whose rows are locked. Only the primary key has the order by which each row is found, so there is
 * one plan, whatever the statistics are. By equality, a plan without statistics may read all assets of a location.
 * Without the upper bound, the scan compares the rest of the index page, a fifth of the work of a move.
 */
function updatePositions({ rows }: Parameters): string {
  return `
    UPDATE asset_positions p
       SET location_id = c.location_id,
           located_since = ${at('c.since')},
           asset_last_seen = ${at('c.last_seen')},
           listed_at = CASE WHEN ${at('c.last_seen')} BETWEEN p.listed_at AND ${afterListing('p.listed_at')} THEN p.listed_at
                            ELSE ${at('c.last_seen')} END,
           reader_id = c.reader_id,
           antenna = c.antenna,
           last_event_at = ${at('c.last_event')},
           last_event_location_id = c.last_event_location_id,
           locating = c.locating
      FROM ${rows('c', ({ known }) => known, positionColumns)}
     CROSS JOIN LATERAL (
       SELECT r.ctid, r.asset_id
         FROM asset_positions r
        WHERE r.org_id = c.org_id AND r.asset_id BETWEEN c.asset_id AND c.asset_id
        ORDER BY r.asset_id
        LIMIT 1
     ) locked
     WHERE p.ctid = locked.ctid AND locked.asset_id = c.asset_id`;
}

/**
 * Inserts positions. Skips an asset that another transaction is deleting or flagging. Waiting for it could be a
 * deadlock, since that transaction may wait for positions that this one has locked. The batch is then repeated.
 */
function insertPositions({ rows }: Parameters): string {
  return `
    INSERT INTO asset_positions (org_id, asset_id, location_id, located_since, asset_last_seen, reader_id, antenna,
                                 last_event_at, last_event_location_id, locating)
    SELECT c.org_id, c.asset_id, c.location_id, ${at('c.since')}, ${at('c.last_seen')}, c.reader_id, c.antenna,
           ${at('c.last_event')}, c.last_event_location_id, c.locating
      FROM ${rows('c', ({ unseen }) => unseen, positionColumns)}
     CROSS JOIN LATERAL (
       SELECT FROM assets a
        WHERE a.id = c.asset_id AND a.org_id + 0 = c.org_id AND a.deleted_at IS NULL
          FOR KEY SHARE SKIP LOCKED
     ) live
     ORDER BY c.asset_id
    ON CONFLICT (org_id, asset_id) DO NOTHING`;
}

/**
 * Stores visits. The open visit of an asset is its newest stored one if that is open, else its position before this
 * statement. Both are looked up by the order of their keys, which leaves one plan whatever the statistics are.
 */
function storeVisits({ rows }: Parameters): string {
  return `
    INSERT INTO asset_visits (org_id, asset_id, arrived_at, left_at, last_seen_at, location_id)
    SELECT c.org_id, c.asset_id, v.arrived_at, ${at('c.until')}, ${at('c.last_seen')}, v.location_id
      FROM ${rows('c', ({ visits }) => visits, {
        org_id: ['int', ({ orgId }) => orgId],
        asset_id: ['int', ({ assetId }) => assetId],
        arrived: ['float8', ({ arrivedAtMs }) => arrivedAtMs],
        until: ['float8', ({ leftAtMs }) => leftAtMs],
        last_seen: ['float8', ({ lastSeenMs }) => lastSeenMs],
        location_id: ['int', ({ location }) => nullable(location)],
      })}
     CROSS JOIN LATERAL (
       SELECT ${at('c.arrived')} AS arrived_at, c.location_id
        WHERE c.arrived IS NOT NULL
       UNION ALL
       (SELECT CASE WHEN newest.is_open THEN newest.arrived_at ELSE p.located_since END,
               CASE WHEN newest.is_open THEN newest.location_id ELSE p.location_id END
          FROM (SELECT r.asset_id, r.location_id, r.located_since
                  FROM asset_positions r
                 WHERE r.org_id = c.org_id AND r.asset_id BETWEEN c.asset_id AND c.asset_id AND c.arrived IS NULL
                 ORDER BY r.asset_id
                 LIMIT 1) p
          LEFT JOIN LATERAL (
            SELECT o.asset_id, o.arrived_at, o.location_id, o.left_at IS NULL AS is_open
              FROM asset_visits o
             WHERE o.org_id = c.org_id AND o.asset_id BETWEEN c.asset_id AND c.asset_id
             ORDER BY o.asset_id DESC, o.arrived_at DESC
             LIMIT 1
          ) newest ON newest.asset_id = c.asset_id
         WHERE p.asset_id = c.asset_id)
     ) v
    ON CONFLICT (org_id, asset_id, arrived_at) DO UPDATE
       SET left_at = EXCLUDED.left_at, last_seen_at = EXCLUDED.last_seen_at, location_id = EXCLUDED.location_id`;
}

/** Counts unknown values. Rows are locked in key order, so that two batches never deadlock. */
function countUnknown({ rows }: Parameters): string {
  return `
    INSERT INTO unknown_tags AS u (org_id, tag_type, value, reader_id, antenna, count, first_seen, last_seen)
    SELECT c.org_id, nullif(c.tag_type, ''), c.value, c.reader_id, c.antenna, c.count, ${at('c.first')}, ${at('c.last')}
      FROM ${rows('c', ({ unknown }) => unknown, {
        org_id: ['int', ({ orgId }) => orgId],
        tag_type: ['text', ({ tagType }) => tagType ?? ''],
        value: ['text', ({ value }) => value],
        reader_id: ['int', ({ readerId }) => readerId],
        antenna: ['int', ({ antenna }) => antenna],
        count: ['int', ({ count }) => count],
        first: ['float8', ({ firstMs }) => firstMs],
        last: ['float8', ({ lastMs }) => lastMs],
      })}
     ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (org_id, tag_type, value, reader_id, antenna) DO UPDATE
       SET count = u.count + EXCLUDED.count,
           first_seen = least(u.first_seen, EXCLUDED.first_seen),
           last_seen = greatest(u.last_seen, EXCLUDED.last_seen)`;
}
