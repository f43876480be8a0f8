import type { ClientBase } from 'pg';
import { quoteName, readTables } from '../backup/catalog.js';
import type { BackupTable } from '../backup/contents.js';

/** How the rows of a table move with their organization. */
type TableRule = {
  /** SQL condition for the rows of an organization; `org_id = …` by default. */
  readonly rowsOf?: (orgId: number) => string;
  /**
   * SQL expression that divides the rows of a large table into parts. After the first copy, only parts that have
   * changed are copied again.
   */
  readonly part?: string;
  /** Whether changes are refused while the organization moves. Statistics may lose seconds, as in a crash. */
  readonly isGuarded?: false;
  /** Columns whose updates are not refused, because a loss of the last seconds is harmless. */
  readonly unguarded?: readonly string[];
  /** Columns that do not move with the organization. */
  readonly left?: readonly string[];
};

const dayOf = (column: string) => `date_trunc('day', ${column} AT TIME ZONE 'UTC')`;
const thousandOf = (column: string) => `${column} / 1000`;

/** All tables whose rows belong to organizations. A test fails if one is missing here. */
export const movedTables: Readonly<Record<string, TableRule>> = {
  activity_log: { part: dayOf('occurred_at') },
  alert_emails: {},
  alert_rules: {},
  alerts: { part: thousandOf('id') },
  antenna_levels: { isGuarded: false },
  api_keys: { unguarded: ['last_used_at'] },
  asset_kinds: {},
  asset_photos: {},
  asset_problems: {},
  asset_positions: { part: thousandOf('asset_id') },
  asset_visits: { part: dayOf('arrived_at') },
  assets: { part: thousandOf('id') },
  audit_items: { part: 'audit_id' },
  audits: {},
  bulk_edit_rows: { part: 'edit_id' },
  bulk_edits: {},
  email_domains: {},
  event_interests: {},
  floor_plan_shapes: {},
  floor_plans: {},
  former_members: {},
  freed_keys: {},
  images: { part: 'id' },
  import_problems: { part: 'import_id' },
  import_rows: { part: 'import_id' },
  imports: {},
  invitations: {},
  key_hints: {},
  location_checks: { isGuarded: false },
  location_signatures: { isGuarded: false },
  locations: { part: thousandOf('id') },
  memberships: {},
  metadata_values: { part: thousandOf('asset_id'), isGuarded: false },
  organizations: { rowsOf: (orgId) => `id = ${orgId}`, left: ['moving'], unguarded: ['moving'] },
  outbox_events: {},
  push_subscriptions: {},
  read_counts: { isGuarded: false },
  reader_antennas: {},
  reader_minutes: { isGuarded: false },
  reader_notes: { isGuarded: false },
  readers: {
    unguarded: [
      'last_message_at',
      'last_connected_at',
      'last_refused_at',
      'last_refusal_reason',
      'recognized_format',
      'recognized_at',
    ],
  },
  refresh_tokens: { rowsOf: (orgId) => `session_id IN (SELECT id FROM sessions WHERE org_id = ${orgId})` },
  rejected_messages: { part: thousandOf('id') },
  row_counts: { isGuarded: false },
  saved_views: {},
  scan_events: { part: dayOf('event_observed_at') },
  scan_submissions: { part: dayOf('created_at') },
  scheduled_emails: {},
  sessions: {},
  tag_telemetry: { isGuarded: false },
  tag_telemetry_hours: { part: dayOf('hour'), isGuarded: false },
  tags: { part: thousandOf('id') },
  telemetry_breaches: { isGuarded: false },
  unknown_tags: { part: thousandOf('id') },
  webhook_attempts: {
    rowsOf: (orgId) => `delivery_id IN (SELECT id FROM webhook_deliveries WHERE org_id = ${orgId})`,
    part: thousandOf('delivery_id'),
    isGuarded: false,
  },
  webhook_deliveries: { part: thousandOf('id') },
  webhook_endpoints: {},
};

/**
 * Accounts of people, who can belong to several organizations. Accounts to which the organization refers are copied.
 */
export const accountTables = ['users', 'sign_on_identities'] as const;

/** Tables of the installation itself. */
export const stayingTables: readonly string[] = [
  'event_retention',
  'job_processes',
  'outbound_pause',
  'password_resets',
  'sign_in_throttles',
];

/** A table as the move reads and writes it. */
export type MovedTable = {
  readonly name: string;
  /** Without generated columns and without columns that do not move. */
  readonly columns: readonly string[];
  readonly quotedColumns: string;
  /** SQL condition for the rows of the organization. */
  readonly rows: string;
  /** SQL of type `text`. */
  readonly part: string;
  /** For `CREATE TRIGGER`; undefined if changes are not refused. */
  readonly guardedUpdate: string | undefined;
};

/** Returns the tables of an organization, each after the tables that its foreign keys refer to. */
export async function readMovedTables(client: ClientBase, orgId: number): Promise<MovedTable[]> {
  const tables = await readTables(client);
  return tables.flatMap((table) => {
    const rule = table.schema === 'public' ? movedTables[table.name] : undefined;
    return rule ? [movedTable(table, rule, orgId)] : [];
  });
}

function movedTable(table: BackupTable, rule: TableRule, orgId: number): MovedTable {
  const { rowsOf, part, isGuarded = true, unguarded, left = [] } = rule;
  const columns = table.columns.filter((column) => !left.includes(column));
  const guarded = table.columns.filter((column) => !unguarded?.includes(column));
  const ofColumns = unguarded ? ` OF ${guarded.map((column) => quoteName(column)).join(', ')}` : '';
  return {
    name: table.name,
    columns,
    quotedColumns: columns.map((column) => quoteName(column)).join(', '),
    rows: rowsOf?.(orgId) ?? `org_id = ${orgId}`,
    part: part === undefined ? `''` : `(${part})::text`,
    guardedUpdate: isGuarded ? `UPDATE${ofColumns}` : undefined,
  };
}
