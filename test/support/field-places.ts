import { undoChange } from './undo.js';
import { bulkEditInput } from '../../server/app/bulk-edits/schemas.js';
import { importColumns } from '../../server/app/imports/columns.js';
import { assetFields, type Field, type Fields, locationFields, type Use } from '../../server/kernel/fields.js';
import { looksUnchanged, viewStates } from '../../server/notifying/events/recorded-states.js';
import { assetView, createAssetInput, updateAssetInput } from '../../server/things/assets/schemas.js';
import { createLocationInput, locationView, updateLocationInput } from '../../server/things/locations/schemas.js';
import { columnNames } from '../../web/csv/columns.js';
import { query } from './postgres.js';
import { prepareDatabase, type ScanOrganization } from './scan-world.js';

type Kind = 'asset' | 'location';

type Column = { name: string; type: string };

/** Columns that nobody reads or writes as a field. */
const internalColumns = new Set(['org_id', 'is_expired']);

const aKind = { name: 'Pump', icon: 'box', color: 'gray', image_id: null } as const;

const places = {
  asset: {
    list: 'assetFields',
    fields: assetFields as Fields,
    uses: ['view', 'create', 'patch', 'bulk', 'log', 'csv'],
    view: assetView,
    create: createAssetInput,
    patch: updateAssetInput,
    files: 'assets',
  },
  location: {
    list: 'locationFields',
    fields: locationFields as Fields,
    uses: ['view', 'create', 'patch', 'log', 'csv'],
    view: locationView,
    create: createLocationInput,
    patch: updateLocationInput,
    files: 'locations',
  },
} as const;

/**
 * Returns where the columns of `assets` and `locations` are missing, each as `assets.column: place`. A column that the list of
 * fields does not have is expected everywhere. The database is one without a service.
 */
export async function placesWithout(url: string): Promise<string[]> {
  return prepareDatabase(url, async (org) => {
    await query(
      url,
      `INSERT INTO event_interests (org_id, types, updated_at)
       VALUES (${org.orgId}, '{asset.created,asset.updated,location.created,location.updated}', now())`,
    );
    return [...(await missingOf('asset', { url, org })), ...(await missingOf('location', { url, org }))];
  });
}

type Scope = { url: string; org: ScanOrganization };

async function missingOf(kind: Kind, scope: Scope): Promise<string[]> {
  const { list, fields } = places[kind];
  const columns = await columnsOf(scope.url, `${kind}s`);
  const extra = Object.keys(fields).filter(
    (name) => !fields[name]?.select && !columns.some((one) => one.name === name),
  );
  const missing = extra.map((name) => `${name}: the table`);
  for (const column of columns) {
    const field = fields[column.name];
    const found = [
      ...(field ? [] : [list]),
      ...missingInCode(kind, column.name, field),
      ...(await missingInDatabase(kind, column, { ...scope, field })),
    ];
    missing.push(...found.map((place) => `${column.name}: ${place}`));
  }
  return missing.map((text) => `${kind}s.${text}`);
}

async function columnsOf(url: string, table: string): Promise<Column[]> {
  const rows = await query<Column>(
    url,
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = '${table}' ORDER BY ordinal_position`,
  );
  return rows.filter(({ name }) => !internalColumns.has(name));
}

function usesOf(kind: Kind, field: Field | undefined): readonly Use[] {
  return field?.uses ?? places[kind].uses;
}

/** The schemas, and the columns of files. The public API knows no field that its view does not have. */
function missingInCode(kind: Kind, name: string, field: Field | undefined): string[] {
  const { view, create, patch, files } = places[kind];
  const uses = usesOf(kind, field);
  const isPublic = uses.includes('view');
  const csv = field?.csv ?? field?.label ?? name;
  const inBulk = name === 'metadata' ? 'set_details' : name;
  const expected: [isExpected: boolean, isThere: boolean, place: string][] = [
    [isPublic, name in view.shape, `${kind}View`],
    [isPublic && uses.includes('create'), name in create.shape, 'the input of a create'],
    [isPublic && uses.includes('patch'), name in patch.shape, 'the input of a patch'],
    [uses.includes('bulk'), inBulk in bulkEditInput.shape, 'the input of a bulk edit'],
    [uses.includes('csv'), importColumns[files].some((column) => column === csv), 'imports'],
    [uses.includes('csv'), columnNames(files).includes(csv), 'exports'],
  ];
  return expected.flatMap(([isExpected, isThere, place]) => (isExpected && !isThere ? [place] : []));
}

/** Changes a column, and looks for what the database stores of it: an entry of the log, events for webhooks, and what an undo restores. */
async function missingInDatabase(
  kind: Kind,
  { name, type }: Column,
  { url, org, field }: Scope & { field: Field | undefined },
): Promise<string[]> {
  const uses = usesOf(kind, field);
  const missing: string[] = [];
  if (!uses.includes('log')) return missing;
  const id = await org[kind]({ name: `With another ${name}` });
  const value = async () =>
    (await query<{ text: string | null }>(url, `SELECT ${name}::text AS text FROM ${kind}s WHERE id = ${id}`))[0]?.text;
  const before = await value();
  const change = `${name} = ${await otherValue(org, { name, type })}, updated_at = updated_at + interval '1 ms'`;
  await query(url, `UPDATE ${kind}s SET ${change} WHERE id = ${id}`);

  const { data } = await org.admin.activity.list({ kind, object_id: String(id) });
  const entry = data.find(({ action }) => action === 'updated');
  if (!entry || !((field?.label ?? name) in { ...entry.before, ...entry.after })) missing.push('the activity log');
  if (uses.includes('view')) {
    const [created, updated] = await Promise.all([
      eventOf(url, { kind, type: `${kind}.created`, id }),
      eventOf(url, { kind, type: `${kind}.updated`, id }),
    ]);
    if (!created?.after || !(name in created.after)) missing.push('the view of events');
    if (!updated || looksUnchanged(updated)) missing.push('events of changes');
  }
  if (entry) {
    // A change without a known field leaves the value.
    await undoChange(org.admin, entry);
  }
  if ((await value()) !== before) missing.push('undo');
  return missing;
}

/** Returns the views in the event of a row. */
async function eventOf(url: string, { kind, type, id }: { kind: Kind; type: string; id: number }) {
  const sql = `SELECT data FROM outbox_events WHERE type = '${type}' AND ${kind}_id = ${id}`;
  const [event] = await query<{ data: object }>(url, sql);
  return event && viewStates(kind, event.data);
}

/** Returns a value that a new row does not have, as SQL. */
async function otherValue(org: ScanOrganization, { name, type }: Column): Promise<string> {
  switch (type) {
    case 'text':
      return `'OTHER-VALUE'`;
    case 'boolean':
      return 'false';
    case 'json':
      return `'{"a":1}'`;
    case 'timestamp with time zone':
      return `now() + interval '1 day'`;
    case 'integer':
      return String(name === 'kind_id' ? (await org.admin.assetKinds.create(aKind)).id : await org.location());
    default:
      throw new Error(`no value for a column of type ${type}`);
  }
}
