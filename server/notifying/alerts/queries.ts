import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries } from '../../kernel/database/client.js';
import { currentInstant, inNaturalOrder, instant, timestamp } from '../../kernel/database/columns.js';
import { removeAged } from '../../kernel/database/remove-aged.js';
import { allOf } from '../../kernel/lists.js';
import type { EventType } from '../events/event-types.js';
import type { DeliveryStatus } from '../webhooks/schemas.js';
import type { AlertFilter, AlertStatus } from './schemas.js';

/** An alert in a list. */
export type AlertRow = {
  id: number;
  rule_id: number | null;
  rule_name: string;
  event_type: EventType;
  asset_id: number | null;
  location_id: number | null;
  reader_id: number | null;
  data: Record<string, unknown>;
  /** Whether it ends by itself, with its condition. */
  is_condition: boolean;
  opened_at: string;
  ended_at: string | null;
  acknowledged_at: string | null;
  acknowledged_by: { id: number; name: string } | null;
};

const alertColumns = Prisma.sql`
  a.id::float8 AS id,
  (SELECT r.id FROM alert_rules r WHERE r.org_id = a.org_id AND r.id = a.rule_id AND r.deleted_at IS NULL) AS rule_id, a.rule_name, a.event_type, a.asset_id, a.location_id, a.reader_id, a.data, a.is_condition,
  ${timestamp('a.opened_at')} AS opened_at, ${timestamp('a.ended_at')} AS ended_at,
  ${timestamp('a.acknowledged_at')} AS acknowledged_at,
  (SELECT json_build_object('id', u.id, 'name', u.name) FROM users u WHERE u.id = a.acknowledged_by) AS acknowledged_by`;

const isOpen = Prisma.sql`a.ended_at IS NULL AND a.acknowledged_at IS NULL`;

const statusConditions: Record<AlertStatus, Prisma.Sql> = {
  open: isOpen,
  acknowledged: Prisma.sql`a.acknowledged_at IS NOT NULL`,
  ended: Prisma.sql`a.ended_at IS NOT NULL`,
};

/** Returns a page of an organization's alerts, newest first. */
export async function findAlerts(db: Queries, orgId: number, filter: AlertFilter): Promise<AlertRow[]> {
  const conditions = allOf([
    Prisma.sql`a.org_id = ${orgId}::int AND a.in_app`,
    filter.status && statusConditions[filter.status],
    filter.event_type && Prisma.sql`a.event_type = ${filter.event_type}`,
    filter.rule_id === undefined ? undefined : Prisma.sql`a.rule_id = ${filter.rule_id}::int`,
    filter.asset_id === undefined ? undefined : Prisma.sql`a.asset_id = ${filter.asset_id}::int`,
    filter.reader_id === undefined ? undefined : Prisma.sql`a.reader_id = ${filter.reader_id}::int`,
    filter.location_id === undefined ? undefined : Prisma.sql`a.location_ids @> ARRAY[${filter.location_id}::int]`,
    filter.from === undefined ? undefined : Prisma.sql`a.opened_at >= ${instant(filter.from)}`,
    filter.to === undefined ? undefined : Prisma.sql`a.opened_at < ${instant(filter.to)}`,
    filter.before_id === undefined ? undefined : Prisma.sql`a.id < ${filter.before_id}::int8`,
  ]);
  return db.$queryRaw<AlertRow[]>`
    SELECT ${alertColumns}
      FROM alerts a
     WHERE ${conditions}
     ORDER BY a.id DESC
     LIMIT ${filter.limit}::int`;
}

export async function findAlert(db: Queries, orgId: number, id: number): Promise<AlertRow | undefined> {
  const rows = await db.$queryRaw<AlertRow[]>`
    SELECT ${alertColumns} FROM alerts a WHERE a.org_id = ${orgId}::int AND a.id = ${id}::int8 AND a.in_app`;
  return rows[0];
}

/** The delivery of an alert's event to one endpoint. */
export type AlertDelivery = {
  id: number;
  endpoint_id: number;
  endpoint_name: string;
  status: DeliveryStatus;
  attempts: number;
};

/** Returns the deliveries of an alert's event; an endpoint has at most one. */
export async function findAlertDeliveries(db: Queries, orgId: number, alertId: number): Promise<AlertDelivery[]> {
  return db.$queryRaw<AlertDelivery[]>`
    SELECT d.id::float8 AS id, d.endpoint_id, w.name AS endpoint_name, d.status, d.attempts
      FROM alerts a
      JOIN webhook_endpoints w ON w.org_id = a.org_id AND w.deleted_at IS NULL
      JOIN webhook_deliveries d ON d.endpoint_id = w.id AND d.event_key = a.event_key
     WHERE a.org_id = ${orgId}::int AND a.id = ${alertId}::int8
     ORDER BY ${inNaturalOrder('w.name')}, w.id`;
}

/** Returns the rules with alerts in the app, by name. */
export async function findAlertRules(db: Queries, orgId: number): Promise<{ id: number; name: string }[]> {
  return db.$queryRaw<{ id: number; name: string }[]>`
    SELECT r.id, r.name FROM alert_rules r WHERE r.org_id = ${orgId}::int AND r.notify_app AND r.deleted_at IS NULL ORDER BY ${inNaturalOrder('r.name')}, r.id`;
}

/** The number of open alerts, up to 999; `is_more` is true if there are more. */
export type OpenCount = { count: number; is_more: boolean };

const countedMax = 999;

/** Counts an organization's open alerts. Reads only an index, so it can be called often. */
export async function readOpenCount(db: Queries, orgId: number): Promise<OpenCount> {
  const [{ n }] = await db.$queryRaw<[{ n: number }]>`
    SELECT count(*)::int AS n
      FROM (SELECT FROM alerts a
             WHERE a.org_id = ${orgId}::int AND a.in_app AND ${isOpen} LIMIT ${countedMax + 1}::int) open`;
  return { count: Math.min(n, countedMax), is_more: n > countedMax };
}

/** Acknowledges alerts that are not acknowledged yet. Returns their number. */
export async function acknowledgeAlerts(
  db: Queries,
  orgId: number,
  { ids, userId }: { ids: readonly number[]; userId: number },
): Promise<number> {
  return db.$executeRaw`
    UPDATE alerts SET acknowledged_at = ${currentInstant}, acknowledged_by = ${userId}::int
     WHERE org_id = ${orgId}::int AND id = ANY(${ids}::int8[]) AND in_app AND acknowledged_at IS NULL`;
}

const keptDays = 90;
const keptPerOrgMax = 50_000;
const removedPerRun = 20_000;

/** Deletes alerts that are older than 90 days, and all except the newest 50,000 of each organization. */
export async function removeOldAlerts(db: Queries): Promise<void> {
  await removeAged(db, {
    table: 'alerts',
    since: 'opened_at',
    keptDays,
    rowsMax: removedPerRun,
    where: Prisma.sql`NOT is_condition OR ended_at IS NOT NULL`,
  });
  await db.$executeRaw`
    DELETE FROM alerts
     WHERE id IN (SELECT old.id
                    FROM (SELECT DISTINCT r.org_id FROM alert_rules r) o
                   CROSS JOIN LATERAL (
                     SELECT a.id FROM alerts a WHERE a.org_id = o.org_id AND a.in_app
                      ORDER BY a.id DESC LIMIT ${removedPerRun}::int OFFSET ${keptPerOrgMax}::int
                   ) old
                   LIMIT ${removedPerRun}::int)`;
}
