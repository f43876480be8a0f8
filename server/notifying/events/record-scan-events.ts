import { defineStatement, type StatementRunner } from '../../kernel/database/statement.js';
import type { EventInterests } from './interests.js';

/** An asset whose decided location changed; 0 is no location. */
export type Move = {
  orgId: number;
  assetId: number;
  from: number;
  to: number;
  /** When the asset came to `to`, in epoch milliseconds. */
  atMs: number;
  readerId: number | null;
  antenna: number | null;
  /** The user who submitted it with a handheld. */
  userId: number | null;
};

/** A tag value that is not attached to anything. */
export type UnknownRead = {
  orgId: number;
  /** Null if a handheld read it without a type. */
  tagType: string | null;
  value: string;
  readerId: number | null;
  antenna: number | null;
  atMs: number;
};

type ScanEvents = { moves: readonly Move[]; unknown: readonly UnknownRead[] };

/** A value is reported again if it was not read for this long. */
const unknownAgainDays = 30;

const none = (id: number) => (id === 0 ? null : id);

const record = defineStatement<ScanEvents>('record_scan_events', ({ rows }) => {
  const moves = rows('m', ({ moves }) => moves, {
    org_id: ['int', ({ orgId }) => orgId],
    asset_id: ['int', ({ assetId }) => assetId],
    at: ['float8', ({ atMs }) => atMs],
    reader_id: ['int', ({ readerId }) => readerId],
    antenna: ['int', ({ antenna }) => antenna],
    user_id: ['int', ({ userId }) => userId],
    from_id: ['int', ({ from }) => none(from)],
    to_id: ['int', ({ to }) => none(to)],
  });
  const unknown = rows('c', ({ unknown }) => unknown, {
    org_id: ['int', ({ orgId }) => orgId],
    type: ['text', ({ tagType }) => tagType ?? ''],
    value: ['text', ({ value }) => value],
    at: ['float8', ({ atMs }) => atMs],
    reader_id: ['int', ({ readerId }) => readerId],
    antenna: ['int', ({ antenna }) => antenna],
  });
  const known = (sameType: string) => `
    SELECT FROM unknown_tags u
     WHERE ${sameType} AND u.org_id = c.org_id AND u.value = c.value
       AND u.last_seen > now() - interval '${unknownAgainDays} days'`;
  return `
    WITH moved AS (
      INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, reader_id, data)
      SELECT m.org_id, 'asset.location_changed', to_timestamp(m.at / 1000), m.asset_id, m.reader_id,
             json_build_object('from_id', m.from_id, 'to_id', m.to_id, 'antenna', m.antenna, 'user_id', m.user_id)
        FROM ${moves}
      RETURNING 1
    ), found AS (
      INSERT INTO outbox_events (org_id, key, type, occurred_at, reader_id, data)
      SELECT c.org_id, md5(concat_ws(' ', c.org_id, c.type, c.value, current_date))::uuid, 'tag.unknown',
             to_timestamp(c.at / 1000), c.reader_id,
             json_build_object('tag_type', nullif(c.type, ''), 'value', c.value, 'antenna', c.antenna)
        FROM ${unknown}
       WHERE NOT EXISTS (${known('u.tag_type = c.type')})
         AND NOT EXISTS (${known("c.type = '' AND u.tag_type IS NULL")})
      RETURNING 1
    )
    SELECT (graphile_worker.add_job('route_events')).id::float8
     WHERE EXISTS (SELECT FROM moved) OR EXISTS (SELECT FROM found)`;
});

/**
 * Writes `asset.location_changed` and `tag.unknown` events in the transaction that stores the reads, before it counts
 * the unknown tags. Runs no statement if none of the organizations has a rule or an endpoint for these events.
 *
 * If two readers first read a value at the same instant, it is recorded twice with the same key, and delivered once.
 */
export async function recordScanEvents(
  runner: StatementRunner,
  interests: Pick<EventInterests, 'wants'>,
  events: ScanEvents,
): Promise<void> {
  const moves = events.moves.filter(
    ({ orgId, from, to }) => from !== to && interests.wants(orgId, 'asset.location_changed'),
  );
  const unknown = firstOfEachValue(events.unknown.filter(({ orgId }) => interests.wants(orgId, 'tag.unknown')));
  if (moves.length === 0 && unknown.length === 0) return;
  await runner.run(record, { moves, unknown });
}

function firstOfEachValue(reads: readonly UnknownRead[]): UnknownRead[] {
  const first = new Map<string, UnknownRead>();
  for (const read of reads) {
    const key = `${read.orgId} ${read.tagType ?? ''} ${read.value}`;
    const known = first.get(key);
    if (!known || read.atMs < known.atMs) first.set(key, read);
  }
  return [...first.values()];
}
