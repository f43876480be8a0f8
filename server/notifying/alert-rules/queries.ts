import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, epochMs, inNaturalOrder, nextInstant } from '../../kernel/database/columns.js';
import { isInTrash, isPastTrash } from '../../kernel/database/trash-days.js';
import type { EventType } from '../events/event-types.js';
import type { EmailMode, RuleInput } from './schemas.js';

/** The condition of a rule, as stored in the column `condition`; rules without a limit may lack the threshold. */
export type Condition = Pick<RuleInput, 'assets' | 'locations' | 'direction'> & Partial<Pick<RuleInput, 'threshold'>>;

/** A stored rule; instants are epoch milliseconds. */
export type RuleRow = Omit<RuleInput, keyof Condition | 'notify'> & {
  id: number;
  org_id: number;
  condition: Condition;
  notify_app: boolean;
  email_user_ids: number[];
  email_mode: EmailMode;
  endpoint_ids: number[];
  created_at: number;
  updated_at: number;
};

const ruleColumns = Prisma.sql`
  r.id, r.org_id, r.name, r.event_type, r.is_enabled, r.condition, r.limit_seconds, r.schedule, r.quiet_seconds,
  r.notify_app, r.email_user_ids, r.email_mode, r.endpoint_ids,
  ${epochMs('r.created_at')} AS created_at, ${epochMs('r.updated_at')} AS updated_at`;

/** Returns an organization's rules by name; there are at most `rulesMax`. */
export async function findRules(db: Queries, orgId: number): Promise<RuleRow[]> {
  return db.$queryRaw<RuleRow[]>`
    SELECT ${ruleColumns} FROM alert_rules r WHERE r.org_id = ${orgId}::int AND r.deleted_at IS NULL ORDER BY ${inNaturalOrder('r.name')}, r.id`;
}

export async function findRule(db: Queries, orgId: number, id: number): Promise<RuleRow | undefined> {
  const rows = await db.$queryRaw<RuleRow[]>`
    SELECT ${ruleColumns} FROM alert_rules r WHERE r.org_id = ${orgId}::int AND r.id = ${id}::int AND r.deleted_at IS NULL`;
  return rows[0];
}

/** Returns the enabled rules of some organizations for some types of events. */
export async function findRulesFor(
  db: Queries,
  orgIds: readonly number[],
  types: readonly EventType[],
): Promise<RuleRow[]> {
  return db.$queryRaw<RuleRow[]>`
    SELECT ${ruleColumns}
      FROM alert_rules r
     WHERE r.org_id = ANY(${orgIds}::int[]) AND r.event_type = ANY(${types}::text[]) AND r.is_enabled
     ORDER BY r.id`;
}

/** Returns the fields of metadata that rules compare. */
export function metadataKeysOf(rules: readonly { condition: Pick<Condition, 'assets'> }[]): string[] {
  return [...new Set(rules.flatMap(({ condition }) => condition.assets.metadata_key ?? []))];
}

function columnsOf(rule: RuleInput) {
  const { assets, locations, direction, threshold, notify } = rule;
  const condition: Condition = { assets, locations, direction, threshold };
  const { email_user_ids: users, endpoint_ids: endpoints } = notify;
  return {
    condition: Prisma.sql`${JSON.stringify(condition)}::json`,
    schedule: Prisma.sql`${rule.schedule === null ? null : JSON.stringify(rule.schedule)}::json`,
    users: Prisma.sql`${[...new Set(users)]}::int[]`,
    endpoints: Prisma.sql`${[...new Set(endpoints)]}::int[]`,
  };
}

/** Inserts a rule. Returns undefined if the organization already has `max`. The caller holds the lock `alerting`. */
export async function insertRule(
  tx: TransactionClient,
  orgId: number,
  { rule, max }: { rule: RuleInput; max: number },
): Promise<number | undefined> {
  const { condition, schedule, users, endpoints } = columnsOf(rule);
  const rows = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO alert_rules (org_id, name, event_type, is_enabled, condition, limit_seconds, schedule, quiet_seconds,
                             notify_app, email_user_ids, email_mode, endpoint_ids, created_at, updated_at)
    SELECT ${orgId}::int, ${rule.name}, ${rule.event_type}, ${rule.is_enabled}, ${condition}, ${rule.limit_seconds}::int,
           ${schedule}, ${rule.quiet_seconds}::int, ${rule.notify.app}, ${users}, ${rule.notify.email_mode}, ${endpoints},
           ${currentInstant}, ${currentInstant}
     WHERE (SELECT count(*) FROM alert_rules WHERE org_id = ${orgId}::int AND deleted_at IS NULL) < ${max}::int
    RETURNING id`;
  return rows[0]?.id;
}

export async function replaceRule(
  tx: TransactionClient,
  orgId: number,
  rule: RuleInput & { id: number },
): Promise<void> {
  const { condition, schedule, users, endpoints } = columnsOf(rule);
  await tx.$executeRaw`
    UPDATE alert_rules
       SET name = ${rule.name}, event_type = ${rule.event_type}, is_enabled = ${rule.is_enabled}, condition = ${condition},
           limit_seconds = ${rule.limit_seconds}::int, schedule = ${schedule}, quiet_seconds = ${rule.quiet_seconds}::int,
           notify_app = ${rule.notify.app}, email_user_ids = ${users}, email_mode = ${rule.notify.email_mode},
           endpoint_ids = ${endpoints}, checked_until = NULL, rechecked_until = NULL,
           updated_at = ${nextInstant('updated_at')}
     WHERE org_id = ${orgId}::int AND id = ${rule.id}::int`;
}

export async function setRuleEnabled(
  tx: TransactionClient,
  orgId: number,
  { id, isEnabled }: { id: number; isEnabled: boolean },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE alert_rules SET is_enabled = ${isEnabled}, checked_until = NULL, rechecked_until = NULL,
           updated_at = ${nextInstant('updated_at')}
     WHERE org_id = ${orgId}::int AND id = ${id}::int`;
}

/** The most deleted rules of an organization that are kept. If there are more, those that were deleted first go for good. */
export const deletedRulesMax = 50;

/** Retires a rule; its alerts stay. A deleted rule is disabled, so no condition looks at it. */
export async function retireRule(tx: TransactionClient, orgId: number, id: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE alert_rules SET deleted_at = ${currentInstant}, was_enabled = is_enabled, is_enabled = false
     WHERE org_id = ${orgId}::int AND id = ${id}::int`;
  await tx.$executeRaw`
    DELETE FROM alert_rules
     WHERE id IN (SELECT r.id FROM alert_rules r
                   WHERE r.org_id = ${orgId}::int AND r.deleted_at IS NOT NULL
                   ORDER BY r.deleted_at DESC, r.id DESC
                  OFFSET ${deletedRulesMax}::int)`;
}

/** Restores a rule that was deleted in the last 30 days. Returns false if there is none. */
export async function restoreRuleRow(tx: TransactionClient, orgId: number, id: number): Promise<boolean> {
  const restored = await tx.$executeRaw`
    UPDATE alert_rules r
       SET deleted_at = NULL, was_enabled = NULL, is_enabled = r.was_enabled, checked_until = NULL, rechecked_until = NULL,
           updated_at = ${nextInstant('r.updated_at')}
     WHERE r.org_id = ${orgId}::int AND r.id = ${id}::int AND ${isInTrash('r')}`;
  return restored > 0;
}

/** Deletes rules that can no longer be restored. */
export async function removeDeletedRules(db: Queries): Promise<void> {
  await db.$executeRaw`DELETE FROM alert_rules r WHERE ${isPastTrash('r')}`;
}

/** Ends the open alerts of a rule whose condition is no longer checked, and forgets which tags violate its limit. */
export async function endConditionsOf(tx: TransactionClient, orgId: number, ruleId: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE alerts SET ended_at = ${currentInstant}
     WHERE org_id = ${orgId}::int AND rule_id = ${ruleId}::int AND is_condition AND ended_at IS NULL`;
  await tx.$executeRaw`DELETE FROM telemetry_breaches WHERE org_id = ${orgId}::int AND rule_id = ${ruleId}::int`;
}

export type Missing = { field: string; id: number };

/** Returns the ids in a rule that do not refer to a live row of the organization. */
export async function missingReferences(tx: Queries, orgId: number, rule: RuleInput): Promise<Missing[]> {
  return tx.$queryRaw<Missing[]>`
    SELECT 'ids' AS field, g.id FROM unnest(${rule.assets.kind === 'chosen' ? (rule.assets.ids ?? []) : []}::int[]) AS g (id)
     WHERE NOT EXISTS (SELECT FROM assets a WHERE a.org_id = ${orgId}::int AND a.id = g.id AND a.deleted_at IS NULL)
    UNION ALL
    SELECT 'ids', g.id FROM unnest(${rule.locations.kind === 'chosen' ? (rule.locations.ids ?? []) : []}::int[]) AS g (id)
     WHERE NOT EXISTS (SELECT FROM locations l WHERE l.org_id = ${orgId}::int AND l.id = g.id AND l.deleted_at IS NULL)
    UNION ALL
    SELECT 'kind_ids', g.id FROM unnest(${rule.assets.kind_ids ?? []}::int[]) AS g (id)
     WHERE NOT EXISTS (SELECT FROM asset_kinds k WHERE k.org_id = ${orgId}::int AND k.id = g.id)
    UNION ALL
    SELECT 'email_user_ids', g.id FROM unnest(${rule.notify.email_user_ids}::int[]) AS g (id)
     WHERE NOT EXISTS (SELECT FROM memberships m WHERE m.org_id = ${orgId}::int AND m.user_id = g.id)
    UNION ALL
    SELECT 'endpoint_ids', g.id FROM unnest(${rule.notify.endpoint_ids}::int[]) AS g (id)
     WHERE NOT EXISTS (SELECT FROM webhook_endpoints w WHERE w.org_id = ${orgId}::int AND w.id = g.id AND w.deleted_at IS NULL)`;
}
