import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, effective, epochMs, instant } from '../../kernel/database/columns.js';
import { lastWords, sightingOf, wasPlaced } from '../../kernel/database/placements.js';
import { firstPositions, seenAfter, seenUntil, shown } from '../../kernel/database/position-order.js';
import { allOf } from '../../kernel/lists.js';
import { isLimit, timedTypes } from '../events/event-types.js';
import type { RuleRow } from './queries.js';

/** The instants up to which the conditions of a rule have been checked and rechecked, in epoch milliseconds. */
export type CheckProgress = { checked_until: number | null; rechecked_until: number | null };

/** A rule with a time limit. */
export type TimedRule = { id: number; org_id: number };

const rulesPerPage = 500;

/** Returns enabled rules with a time limit, after an id. */
export async function findTimedRules(db: Queries, afterId: number): Promise<TimedRule[]> {
  return db.$queryRaw<TimedRule[]>`
    SELECT r.id, r.org_id
      FROM alert_rules r
     WHERE r.is_enabled AND r.limit_seconds IS NOT NULL AND r.event_type = ANY(${[...timedTypes]}::text[])
       AND r.id > ${afterId}::int
     ORDER BY r.id
     LIMIT ${rulesPerPage}::int`;
}

/**
 * Locks a rule for its check. Undefined if it was deleted, is disabled, or is locked by another process: the next check
 * handles it.
 */
export async function lockRule(
  tx: TransactionClient,
  { id, org_id: orgId }: TimedRule,
): Promise<CheckProgress | undefined> {
  const rows = await tx.$queryRaw<CheckProgress[]>`
    SELECT ${epochMs('r.checked_until')} AS checked_until, ${epochMs('r.rechecked_until')} AS rechecked_until
      FROM alert_rules r
     WHERE r.org_id = ${orgId}::int AND r.id = ${id}::int AND r.is_enabled
       FOR NO KEY UPDATE SKIP LOCKED`;
  return rows[0];
}

export async function noteChecked(tx: TransactionClient, ruleId: number, progress: CheckProgress): Promise<void> {
  await tx.$executeRaw`
    UPDATE alert_rules
       SET checked_until = ${instant(progress.checked_until)}, rechecked_until = ${instant(progress.rechecked_until)}
     WHERE id = ${ruleId}::int`;
}

/** A subject whose condition may have begun; `since` in epoch milliseconds. */
export type Candidate = {
  asset_id: number | null;
  reader_id: number | null;
  location_id: number | null;
  /** The location that an asset belongs to, if the condition is that it is away. */
  belongs_to_id: number | null;
  since: number;
  /** The value that the tag measured last; null if the condition is not about measured values. */
  value: number | null;
  /** Whether the asset is live, active and effective, and the rule has no open alert about it. */
  is_reportable: boolean;
};

/** The window of a check: conditions that began after `afterMs`, and not after `untilMs`. */
export type CheckWindow = {
  rule: RuleRow;
  afterMs: number | null;
  untilMs: number;
  /**
   * A check reads this many candidates, and all further candidates that began at the same instant as the last one. The
   * next check continues from there.
   */
  candidatesMax: number;
};

/** Returns whether the asset of the candidate `c` is live, active and effective, and has no open alert of the rule. */
export const isReportable = (rule: RuleRow) => Prisma.sql`
  EXISTS (SELECT FROM assets a
           WHERE a.org_id = c.org_id AND a.id = c.asset_id AND a.deleted_at IS NULL AND a.is_active AND ${effective('a')})
  AND NOT EXISTS (SELECT FROM alerts n
                   WHERE n.rule_id = ${rule.id}::int AND n.subject = 'asset:' || c.asset_id
                     AND n.is_condition AND n.ended_at IS NULL)`;

/**
 * Returns the assets whose last read, or for dwell times whose arrival at their present location, was in the window. A placement is
 * no read.
 */
export async function findWaiting(
  tx: Queries,
  { rule, afterMs, untilMs, candidatesMax }: CheckWindow,
): Promise<Candidate[]> {
  const isOverdue = rule.event_type === 'asset.overdue';
  const until = Prisma.sql`p.located_since <= ${instant(untilMs)}`;
  const after = afterMs === null ? undefined : Prisma.sql`p.located_since > ${instant(afterMs)}`;
  // Assets that are not shown are not reportable.
  const positions = isOverdue
    ? Prisma.sql`
      ${firstPositions(rule.org_id, {
        descending: false,
        states: [shown],
        count: candidatesMax,
        conditions: [
          seenUntil(instant(untilMs)),
          afterMs === null ? undefined : seenAfter(instant(afterMs)),
          Prisma.sql`NOT ${wasPlaced(rule.org_id)}`,
        ],
      })}
      UNION ALL
      SELECT p.asset_id, p.location_id, w.seen_before
        FROM ${lastWords(rule.org_id)} AND p.hidden_by = ${Prisma.raw(String(shown))}
         AND w.seen_before <= ${instant(untilMs)}
         AND w.seen_before > coalesce(${instant(afterMs)}, '-infinity')`
    : Prisma.sql`
      SELECT p.asset_id, p.location_id, p.located_since
        FROM asset_positions p
       WHERE ${allOf([Prisma.sql`p.org_id = ${rule.org_id}::int`, until, after])}`;
  const since = Prisma.raw(isOverdue ? 'p.asset_last_seen' : 'p.located_since');
  return tx.$queryRaw<Candidate[]>`
    SELECT c.asset_id, NULL::int AS reader_id, c.location_id, NULL::int AS belongs_to_id, ${epochMs('c.since')} AS since,
           NULL::float8 AS value, ${isReportable(rule)} AS is_reportable
      FROM (SELECT ${rule.org_id}::int AS org_id, p.asset_id, p.location_id, ${since} AS since
              FROM (${positions}) p
             ORDER BY ${since}
             FETCH FIRST (${candidatesMax}::int) ROWS WITH TIES) c
     ORDER BY c.since, c.asset_id`;
}

/**
 * Returns assets with a tag whose last value began to violate the limit of the rule in the window. An asset with
 * several such tags is returned more than once.
 */
export async function findBreaching(
  tx: Queries,
  { rule, afterMs, untilMs, candidatesMax }: CheckWindow,
): Promise<Candidate[]> {
  const value = Prisma.raw(rule.event_type === 'asset.battery_low' ? 'm.battery' : 'm.temperature');
  return tx.$queryRaw<Candidate[]>`
    SELECT c.asset_id, NULL::int AS reader_id, p.location_id, NULL::int AS belongs_to_id, ${epochMs('c.since')} AS since,
           c.value, ${isReportable(rule)} AS is_reportable
      FROM (SELECT b.since, t.org_id, t.asset_id, ${value}::float8 AS value
              FROM (SELECT x.tag_id, x.since
                      FROM telemetry_breaches x
                     WHERE x.rule_id = ${rule.id}::int AND x.org_id = ${rule.org_id}::int
                       AND x.since > ${instant(afterMs ?? 0)} AND x.since <= ${instant(untilMs)}
                     ORDER BY x.since
                     FETCH FIRST (${candidatesMax}::int) ROWS WITH TIES) b
              JOIN tags t ON t.id = b.tag_id AND t.org_id = ${rule.org_id}::int
              JOIN tag_telemetry m ON m.tag_id = b.tag_id) c
      LEFT JOIN asset_positions p ON p.org_id = c.org_id AND p.asset_id = c.asset_id
     ORDER BY c.since, c.asset_id`;
}

/** Returns readers whose last message is older than the limit. Readers that never sent a message were never online. */
export async function findOffline(tx: Queries, { rule, untilMs, candidatesMax }: CheckWindow): Promise<Candidate[]> {
  return tx.$queryRaw<Candidate[]>`
    SELECT NULL::int AS asset_id, r.id AS reader_id, r.location_id, NULL::int AS belongs_to_id, ${epochMs('r.last_message_at')} AS since,
           NULL::float8 AS value, true AS is_reportable
      FROM readers r
     WHERE r.org_id = ${rule.org_id}::int AND r.deleted_at IS NULL AND r.last_message_at <= ${instant(untilMs)}
       AND NOT EXISTS (SELECT FROM alerts a
                        WHERE a.rule_id = ${rule.id}::int AND a.subject = 'reader:' || r.id
                          AND a.is_condition AND a.ended_at IS NULL)
     ORDER BY r.last_message_at
     LIMIT ${candidatesMax}::int`;
}

/** If a window was only checked in part, returns the instant up to which it was checked. */
export function lookedUntil(candidates: readonly Candidate[], { rule, untilMs, candidatesMax }: CheckWindow): number {
  const last = candidates.at(-1);
  if (rule.event_type === 'reader.offline' || candidates.length < candidatesMax || !last) return untilMs;
  return last.since;
}

/** Counts the open conditions of a rule, up to `max`. */
export async function countOpenConditions(tx: Queries, ruleId: number, max: number): Promise<number> {
  const [row] = await tx.$queryRaw<[{ n: number }]>`
    SELECT count(*)::int AS n
      FROM (SELECT FROM alerts WHERE rule_id = ${ruleId}::int AND is_condition AND ended_at IS NULL LIMIT ${max}::int) open`;
  return row.n;
}

/** Returns the condition on alerts `a` that they are about a condition of a rule that had not ended. */
export const openAlerts = (rule: RuleRow) =>
  Prisma.sql`a.rule_id = ${rule.id}::int AND a.is_condition AND a.ended_at IS NULL`;

/** Selects the asset of the alert `a`, if it is live and active. */
export const ofLiveActiveAsset = Prisma.sql`
    SELECT FROM assets s WHERE s.org_id = a.org_id AND s.id = a.asset_id AND s.deleted_at IS NULL AND s.is_active`;

/** A reader that sends again, and the time of its last message before the silence, as in the alert. */
export type ReturnedReader = { reader_id: number; silent_since: string | null };

/** Ends the alerts of a rule whose conditions no longer hold. Returns the readers that are back. */
export async function endConditions(tx: TransactionClient, rule: RuleRow, nowMs: number): Promise<ReturnedReader[]> {
  const cutMs = nowMs - (rule.limit_seconds ?? 0) * 1000;
  const open = openAlerts(rule);
  if (rule.event_type === 'reader.offline') {
    const ended = await tx.$queryRaw<(ReturnedReader & { is_back: boolean })[]>`
      UPDATE alerts a
         SET ended_at = ${currentInstant}
        FROM readers r
       WHERE ${open} AND r.org_id = a.org_id AND r.id = a.reader_id
         AND (r.deleted_at IS NOT NULL OR r.last_message_at > ${instant(cutMs)})
      RETURNING a.reader_id, a.data ->> 'last_message_at' AS silent_since, r.deleted_at IS NULL AS is_back`;
    return ended.filter(({ is_back }) => is_back);
  }
  if (isLimit(rule.event_type)) {
    await tx.$executeRaw`
      UPDATE alerts a
         SET ended_at = ${currentInstant}
       WHERE ${open}
         AND (NOT EXISTS (SELECT FROM tags t JOIN telemetry_breaches b ON b.tag_id = t.id AND b.rule_id = a.rule_id
                           WHERE t.org_id = a.org_id AND t.asset_id = a.asset_id)
              OR NOT EXISTS (${ofLiveActiveAsset}))`;
    return [];
  }
  const holds =
    rule.event_type === 'asset.overdue'
      ? Prisma.sql`${sightingOf(rule.org_id, 'p')} <= ${instant(cutMs)}`
      : Prisma.sql`p.location_id = a.location_id AND p.located_since <= ${instant(cutMs)}`;
  await tx.$executeRaw`
    UPDATE alerts a
       SET ended_at = ${currentInstant}
     WHERE ${open}
       AND (NOT EXISTS (SELECT FROM asset_positions p
                         WHERE p.org_id = a.org_id AND p.asset_id = a.asset_id AND ${holds})
            OR NOT EXISTS (${ofLiveActiveAsset}))`;
  return [];
}

/**
 * Writes `reader.online` for readers that are back, if a rule or an endpoint asks for it. The key identifies the
 * silence that has ended: if several rules had reported it, each receiver gets one event.
 */
export async function recordOnline(
  tx: TransactionClient,
  orgId: number,
  readers: readonly ReturnedReader[],
): Promise<void> {
  if (readers.length === 0) return;
  await tx.$queryRaw`
    WITH back AS (
      INSERT INTO outbox_events (org_id, key, type, occurred_at, reader_id, data)
      SELECT r.org_id, md5(concat_ws(' ', 'reader.online', r.org_id, r.id, g.silent_since))::uuid, 'reader.online',
             ${currentInstant}, r.id, json_build_object('last_message_at', api_timestamp(r.last_message_at))
        FROM unnest(${readers.map(({ reader_id: id }) => id)}::int[],
                    ${readers.map(({ silent_since: since }) => since)}::text[]) AS g (reader_id, silent_since)
        JOIN readers r ON r.org_id = ${orgId}::int AND r.id = g.reader_id
        JOIN event_interests i ON i.org_id = r.org_id AND 'reader.online' = ANY (i.types)
      RETURNING 1
    )
    SELECT (graphile_worker.add_job('route_events')).id::float8 WHERE EXISTS (SELECT FROM back)`;
}
