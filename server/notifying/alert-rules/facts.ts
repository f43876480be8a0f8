import type { Facts } from '../../people/activity/record.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import type { RuleRow } from './queries.js';
import type { AssetCondition, LocationCondition, Schedule } from './schemas.js';

type Kind = 'asset' | 'location' | 'member' | 'endpoint';

/** The maximum in one field of an entry; further ones are counted. */
const namedMax = 20;

/** Returns a rule for the activity log, with names instead of ids. */
export async function ruleFacts(tx: TransactionClient, orgId: number, rule: RuleRow): Promise<Facts> {
  const names = await namesOf(tx, orgId, rule);
  const { assets, locations, direction, threshold = null } = rule.condition;
  const list = (kind: Kind, ids: readonly number[]) => ids.map((id) => names.get(`${kind} ${id}`) ?? `no. ${id}`);
  return {
    name: rule.name,
    event_type: rule.event_type,
    is_enabled: rule.is_enabled,
    assets: assetsText(assets, (ids) => list('asset', ids)),
    locations: locationsText(locations, (ids) => list('location', ids)),
    direction,
    limit_seconds: rule.limit_seconds,
    ...(threshold !== null && { threshold }),
    schedule: scheduleText(rule.schedule),
    quiet_seconds: rule.quiet_seconds,
    notify_app: rule.notify_app,
    email_recipients: list('member', rule.email_user_ids),
    email_mode: rule.email_mode,
    endpoints: list('endpoint', rule.endpoint_ids),
  };
}

async function namesOf(tx: TransactionClient, orgId: number, rule: RuleRow): Promise<ReadonlyMap<string, string>> {
  const { assets, locations } = rule.condition;
  const rows = await tx.$queryRaw<{ kind: Kind; id: number; name: string }[]>`
    SELECT 'asset' AS kind, a.id, a.name || ' (' || a.external_key || ')' AS name
      FROM assets a
     WHERE a.org_id = ${orgId}::int AND a.id = ANY(${(assets.ids ?? []).slice(0, namedMax)}::int[])
    UNION ALL
    SELECT 'location', l.id, l.name || ' (' || l.external_key || ')'
      FROM locations l
     WHERE l.org_id = ${orgId}::int AND l.id = ANY(${(locations.ids ?? []).slice(0, namedMax)}::int[])
    UNION ALL
    SELECT 'member', u.id, u.name
      FROM memberships m
      JOIN users u ON u.id = m.user_id
     WHERE m.org_id = ${orgId}::int AND m.user_id = ANY(${rule.email_user_ids}::int[])
    UNION ALL
    SELECT 'endpoint', w.id, w.name
      FROM webhook_endpoints w
     WHERE w.org_id = ${orgId}::int AND w.id = ANY(${rule.endpoint_ids}::int[])`;
  return new Map(rows.map(({ kind, id, name }) => [`${kind} ${id}`, name]));
}

type List = (ids: readonly number[]) => string[];

function chosen(ids: readonly number[], list: List): string[] {
  const rest = ids.length - namedMax;
  return [...list(ids.slice(0, namedMax)), ...(rest > 0 ? [`and ${rest} more`] : [])];
}

function assetsText(condition: AssetCondition, list: List): string | string[] {
  const { kind, ids = [], field, metadata_key: key, operator = '', value } = condition;
  if (kind === 'all') return 'All assets';
  if (kind === 'chosen') return chosen(ids, list);
  return `${field === 'metadata' ? `metadata.${key}` : field} ${operator.replaceAll('_', ' ')} “${value}”`;
}

function locationsText(condition: LocationCondition, list: List): string | string[] {
  const { kind, ids = [], include_sublocations: withSublocations } = condition;
  if (kind === 'all') return 'All locations';
  return [...chosen(ids, list), ...(withSublocations ? ['with sublocations'] : [])];
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function scheduleText(schedule: Schedule | null): string | null {
  if (schedule === null) return null;
  const days = schedule.days.map((day) => dayNames[day - 1]).join(', ');
  return `${days}, ${schedule.from} to ${schedule.to}, ${schedule.time_zone}`;
}
