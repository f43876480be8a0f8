import type { TransactionClient } from '../../kernel/database/client.js';
import { numbers } from '../../kernel/database/array-literals.js';
import { currentInstant } from '../../kernel/database/columns.js';
import type { DescribedEvent } from '../events/describe-event.js';
import type { RuleRow } from '../alert-rules/queries.js';

/** A rule that matches an event. */
export type Firing = { rule: RuleRow; event: DescribedEvent; isCondition: boolean };

export type OpenedAlert = { id: number; firing: Firing };

type AlertKey = { rule_id: number; event_key: string };

/**
 * Opens an alert for each firing, and returns the new alerts. Opens no alert if the rule is in its quiet time for the
 * subject, if the condition has an open alert, or if the event already has its alert.
 */
export async function openAlerts(tx: TransactionClient, firings: readonly Firing[]): Promise<OpenedAlert[]> {
  const due = await outsideQuietTime(tx, firings);
  if (due.length === 0) return [];
  const of = <Value>(value: (firing: Firing) => Value) => due.map(value);
  const rows = await tx.$queryRaw<(AlertKey & { id: number })[]>`
    INSERT INTO alerts (org_id, rule_id, rule_name, event_key, event_type, subject, asset_id, location_id, location_ids, reader_id,
                        data, in_app, is_condition, opened_at)
    SELECT g.org_id, g.rule_id, g.rule_name, g.event_key, g.event_type, g.subject, g.asset_id, g.location_id, g.location_ids::int[],
           g.reader_id, g.data::json, g.in_app, g.is_condition, ${currentInstant}
      FROM unnest(
        ${of(({ event }) => event.orgId)}::int[], ${of(({ rule }) => rule.id)}::int[], ${of(({ rule }) => rule.name)}::text[],
        ${of(({ event }) => event.key)}::uuid[], ${of(({ event }) => event.type)}::text[],
        ${of(({ event }) => event.subject)}::text[], ${of(({ event }) => event.assetId)}::int[],
        ${of(({ event }) => event.locationId)}::int[], ${of(({ event }) => numbers(locationIdsOf(event)))}::text[],
        ${of(({ event }) => event.readerId)}::int[],
        ${of(({ event }) => JSON.stringify(event.data))}::text[], ${of(({ rule }) => rule.notify_app)}::bool[],
        ${of(({ isCondition }) => isCondition)}::bool[]
      ) WITH ORDINALITY AS g (org_id, rule_id, rule_name, event_key, event_type, subject, asset_id, location_id, location_ids, reader_id,
                              data, in_app, is_condition, no)
      -- Rules that were deleted meanwhile are skipped.
      JOIN alert_rules r ON r.org_id = g.org_id AND r.id = g.rule_id AND r.deleted_at IS NULL
     ORDER BY g.no
    ON CONFLICT DO NOTHING
    RETURNING id::float8 AS id, rule_id, event_key`;
  const byKey = new Map(due.map((firing) => [`${firing.rule.id} ${firing.event.key}`, firing]));
  return rows.flatMap(({ id, rule_id, event_key }) => {
    const firing = byKey.get(`${rule_id} ${event_key}`);
    return firing ? [{ id, firing }] : [];
  });
}

/** Returns the locations that an event concerns, each with the locations above it. */
function locationIdsOf({ matched: { move, location } }: DescribedEvent): number[] {
  return [...new Set([...(move?.from ?? []), ...(move?.to ?? []), ...(location ?? [])])];
}

/**
 * Drops firings in the quiet time of a rule for a subject. If several firings have the same subject, keeps the first.
 */
async function outsideQuietTime(tx: TransactionClient, firings: readonly Firing[]): Promise<Firing[]> {
  const quiet = firings.filter(({ rule }) => rule.quiet_seconds > 0);
  if (quiet.length === 0) return [...firings];
  const silent = await tx.$queryRaw<{ rule_id: number; subject: string }[]>`
    SELECT g.rule_id, g.subject
      FROM (SELECT DISTINCT * FROM unnest(
              ${quiet.map(({ rule }) => rule.id)}::int[], ${quiet.map(({ event }) => event.subject)}::text[],
              ${quiet.map(({ rule }) => rule.quiet_seconds)}::int[]) AS u (rule_id, subject, quiet_seconds)) g
     WHERE EXISTS (SELECT FROM alerts a
                    WHERE a.rule_id = g.rule_id AND a.subject = g.subject
                      AND a.opened_at > now() - make_interval(secs => g.quiet_seconds))`;
  const taken = new Set(silent.map(({ rule_id, subject }) => `${rule_id} ${subject}`));
  return firings.filter(({ rule, event }) => {
    if (rule.quiet_seconds === 0) return true;
    const key = `${rule.id} ${event.subject}`;
    if (taken.has(key)) return false;
    taken.add(key);
    return true;
  });
}
