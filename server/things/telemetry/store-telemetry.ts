import type { Column, RowColumns } from '../../kernel/database/array-literals.js';
import { defineStatement, type Queries, type StatementRunner } from '../../kernel/database/statement.js';
import type { EventInterests } from '../../notifying/events/interests.js';
import { updateBreaches } from '../../notifying/alert-rules/breaches.js';
import type { Measured, TagValues } from './measured.js';
import { hourlyQuantities, quantities, type Quantity } from './quantities.js';

/** A stored value is replaced at most this often, except states that changed. */
const replacedAfterSeconds = 10;
/** Days for which the values of each hour are kept. */
export const telemetryDays = 30;

const states: readonly Quantity[] = ['motion', 'button'];

type Hour = TagValues & { hourMs: number };
type Latest = TagValues & { reportsPress: boolean };
type Input = { latest: readonly Latest[]; hours: readonly Hour[] };

function valueColumns<Item extends TagValues>(names: readonly Quantity[]): RowColumns<Item> {
  const columns = names.flatMap((name): [string, Column<Item>][] => [
    [name, ['real', ({ values }) => values[name]?.value ?? null]],
    [`${name}_ms`, ['float8', ({ values }) => values[name]?.atMs ?? null]],
  ]);
  return Object.fromEntries<Column<Item>>(columns);
}

const each = (write: (name: Quantity) => string, separator = ', ') => quantities.map(write).join(separator);
const eachHourly = (write: (name: Quantity) => string, separator = ', ') => hourlyQuantities.map(write).join(separator);

/**
 * Whether the value of a given row replaces the value of `m`, which may be missing. A value from the future is always
 * replaced.
 */
function isDue(given: string, name: Quantity): string {
  const at = `${given}.${name}_at`;
  const changed = states.includes(name) ? ` OR ${at} > m.${name}_at AND ${given}.${name} <> m.${name}` : '';
  return `(${at} IS NOT NULL AND (m.${name}_at IS NULL OR ${at} >= m.${name}_at + interval '${replacedAfterSeconds} seconds'
           OR m.${name}_at > clock_timestamp() + interval '10 seconds'${changed}))`;
}

/**
 * Writes only rows that change, in the order of the tags, so that two batches never deadlock. A tag that was detached
 * meanwhile gets no row.
 */
const storeStatement = defineStatement<Input>(
  'store_telemetry',
  ({ rows }) => `
    WITH given AS MATERIALIZED (
      SELECT c.org_id, c.tag_id, c.reports_press, t.asset_id, t.tag_type, t.value,
             ${each((name) => `c.${name}, to_timestamp(c.${name}_ms / 1000)::timestamptz(3) AS ${name}_at`)}
        FROM ${rows('c', ({ latest }) => latest, {
          org_id: ['int', ({ orgId }) => orgId],
          tag_id: ['int', ({ tagId }) => tagId],
          reports_press: ['int', ({ reportsPress }) => Number(reportsPress)],
          ...valueColumns<Latest>(quantities),
        })}
       CROSS JOIN LATERAL (
         SELECT k.asset_id, k.tag_type, k.value
           FROM tags k
          WHERE k.id = c.tag_id AND k.org_id + 0 = c.org_id AND k.deleted_at IS NULL
            FOR KEY SHARE
       ) t
    ), latest AS (
      INSERT INTO tag_telemetry AS m (org_id, tag_id, ${each((name) => `${name}, ${name}_at`)})
      SELECT g.org_id, g.tag_id, ${each((name) => `g.${name}, g.${name}_at`)}
        FROM given g
        LEFT JOIN tag_telemetry m ON m.tag_id = g.tag_id
       WHERE m.tag_id IS NULL OR ${each((name) => isDue('g', name), ' OR ')}
       ORDER BY g.tag_id
      ON CONFLICT (tag_id) DO UPDATE
         SET ${each(
           (name) => `${name} = CASE WHEN ${isDue('excluded', name)} THEN excluded.${name} ELSE m.${name} END,
               ${name}_at = CASE WHEN ${isDue('excluded', name)} THEN excluded.${name}_at ELSE m.${name}_at END`,
         )}
      RETURNING m.tag_id, m.button, m.button_at
    ), hour AS (
      INSERT INTO tag_telemetry_hours AS h (org_id, tag_id, hour, ${eachHourly((name) => name)})
      SELECT c.org_id, c.tag_id, to_timestamp(c.hour_ms / 1000), ${eachHourly((name) => `c.${name}`)}
        FROM ${rows('c', ({ hours }) => hours, {
          org_id: ['int', ({ orgId }) => orgId],
          tag_id: ['int', ({ tagId }) => tagId],
          hour_ms: ['float8', (hour) => hour.hourMs],
          ...valueColumns<Hour>(hourlyQuantities),
        })}
        JOIN given g ON g.tag_id = c.tag_id
        LEFT JOIN tag_telemetry_hours h ON h.tag_id = c.tag_id AND h.hour = to_timestamp(c.hour_ms / 1000)
       WHERE to_timestamp(c.hour_ms / 1000) > now() - interval '${telemetryDays} days'
         AND (${eachHourly((name) => `c.${name} IS NOT NULL AND h.${name} IS NULL`, ' OR ')})
       ORDER BY c.tag_id, c.hour_ms
      ON CONFLICT (tag_id, hour) DO UPDATE
         SET ${eachHourly((name) => `${name} = coalesce(h.${name}, excluded.${name})`)}
    ), pressed AS (
      INSERT INTO outbox_events (org_id, key, type, occurred_at, asset_id, location_id, data)
      SELECT g.org_id, md5(concat_ws(' ', 'asset.button_pressed', g.tag_id, extract(epoch FROM g.button_at)))::uuid,
             'asset.button_pressed', g.button_at, g.asset_id, p.location_id,
             json_build_object('tag_type', g.tag_type, 'value', g.value, 'press', g.button)
        FROM latest l
        JOIN given g ON g.tag_id = l.tag_id AND g.button_at = l.button_at
        LEFT JOIN asset_positions p ON p.org_id = g.org_id AND p.asset_id = g.asset_id
       WHERE g.reports_press = 1
      RETURNING 1
    )
    SELECT (graphile_worker.add_job('route_events')).id::float8 WHERE EXISTS (SELECT FROM pressed)`,
);

/**
 * Stores what the tags of a batch measured, in its transaction: the last values, the first values of each hour, the
 * events of buttons, and which limits of rules the values violate. Storing a batch again changes nothing if its reads
 * have times. Runs no statement without measurements.
 */
export async function storeTelemetry(
  runner: StatementRunner,
  measured: Measured,
  interests: Pick<EventInterests, 'wants'> | undefined,
): Promise<void> {
  if (measured.latest.size === 0) return;
  const latest = [...measured.latest.values()].map((tag) => ({
    ...tag,
    reportsPress: tag.values.button !== undefined && interests?.wants(tag.orgId, 'asset.button_pressed') === true,
  }));
  await runner.run(storeStatement, { latest, hours: [...measured.hours.values()] });
  if (interests) await updateBreaches(runner, latest, interests);
}

/** Deletes values of hours after thirty days. */
export async function removeOldTelemetry(db: Queries): Promise<void> {
  await db.$executeRaw`
    DELETE FROM tag_telemetry_hours WHERE hour < now() - make_interval(days => ${telemetryDays}::int)`;
}
