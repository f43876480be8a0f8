import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createWords } from '../../gateway/description/words.js';
import { createHealth } from '../../gateway/health.js';
import { createGateway } from '../../gateway/index.js';
import { type FrameFormat, jsonFormat, listFindings } from '../../ingest-broker/formats/frame-format.js';
import { fieldOf } from '../../ingest-broker/formats/json-frames.js';
import { epochOf, hexOf } from '../../ingest-broker/formats/values.js';
import { compareFunctions } from '../../scripts/migration/compare-functions.js';
import { writeFunctionMigration } from '../../scripts/migration/write-migration.js';
import { createAssetInput } from '../../server/things/assets/schemas.js';
import { openDatabase } from '../../server/kernel/database/client.js';
import { assignments, createdColumns, createdValues, selected } from '../../server/kernel/database/field-sql.js';
import { migrate } from '../../server/kernel/database/migrate.js';
import {
  assetFields,
  csvColumns,
  everywhere,
  type Fields,
  type ValuesFor,
  valuesFor,
  viewer,
} from '../../server/kernel/fields.js';
import type { AppRouter } from '../../server/index.js';
import { createLog } from '../../server/kernel/log.js';
import { projectRoot } from '../../server/kernel/project-root.js';
import { appRouter } from '../../server/router.js';
import { described, router, scopedProcedure } from '../../server/trpc.js';
import { nullableTextField } from '../../server/kernel/validation/fields.js';
import '../support/expect-error.js';
import { createTestFolder } from '../support/folder.js';
import { placesWithout } from '../support/field-places.js';
import { createStartedDatabase, createTestDatabase, query } from '../support/postgres.js';
import { createClient } from '../support/rest-client.js';
import { prepareDatabase } from '../support/scan-world.js';
import { scriptFromDatabaseToSchema } from '../support/schema-engine.js';
import { sharedWorld } from '../support/world.js';
import { blocksOf, readProjectFile, sectionOf } from './markdown.js';

const recipes = sectionOf(readProjectFile('CONTRIBUTING.md'), 'Recipes');
const log = createLog('silent');

const world = await sharedWorld();

function withoutIndentation(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

/** The blocks of a language, also those within a list. */
function indentedBlocksOf(language: string): string[] {
  const blocks = recipes.matchAll(new RegExp(`^ *\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'gm'));
  return Array.from(blocks, ([, block = '']) => withoutIndentation(block));
}

/** The service's own procedures with more of them, as another service on the same database. */
async function serve(more: Record<string, unknown>) {
  const extended = router({ ...appRouter._def.record, ...more } as never) as unknown as AppRouter;
  const core = { ...world.core, router: extended };
  const { settings } = world;
  const health = createHealth({ core, settings, log, probes: { brokerListening: () => true } });
  const gateway = createGateway({ core, settings, log, health });
  const { port } = await gateway.listen();
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => gateway.close() };
}

test('the lines in CONTRIBUTING.md are the lines that run here', () => {
  const here = withoutIndentation(readFileSync(fileURLToPath(import.meta.url), 'utf8'));
  const blocks = indentedBlocksOf('ts');
  expect(blocks).toHaveLength(4);
  for (const block of blocks) expect(here).toContain(block);
});

const coloredFields = {
  ...assetFields,
  color: { type: 'text', nullable: true, uses: everywhere },
} as const satisfies Fields;

test('a field in the list is in the statements, in the view, and in files', async () => {
  await using database = await createStartedDatabase();
  await query(database.url, 'ALTER TABLE assets ADD COLUMN color TEXT COLLATE "C"');
  await prepareDatabase(database.url, async ({ orgId }) => {
    const { db, close } = openDatabase({ url: database.url, poolSize: 1 });
    await db.$executeRaw`
      INSERT INTO assets (org_id, ${createdColumns(coloredFields)}, created_at, updated_at)
      SELECT ${orgId}, ${createdValues(coloredFields, { external_key: 'A', name: 'Pump', color: 'red' })}, clock.now, clock.now
        FROM (SELECT now() AS now) clock`;
    const read = async () => {
      const [row] = await db.$queryRaw<[ValuesFor<typeof coloredFields, 'view'>]>`
        SELECT ${selected(coloredFields, 'a')} FROM assets a WHERE a.org_id = ${orgId}`;
      return viewer(coloredFields)(row);
    };
    expect(await read()).toMatchObject({ name: 'Pump', is_active: true, metadata: {}, color: 'red' });
    const changes = valuesFor(coloredFields, 'patch', { color: null });
    await db.$executeRaw`UPDATE assets a SET ${assignments(coloredFields, 'a', changes)} WHERE a.org_id = ${orgId}`;
    expect((await read()).color).toBeNull();
    await close();
  });
  expect(csvColumns(coloredFields)).toEqual([...csvColumns(assetFields), 'color']);
});

const colorRule = { min: 1, max: 32, pattern: /^[A-Za-z0-9-]+$/, words: 'letters, digits and hyphens only' } as const;
const colorField = nullableTextField(colorRule).exactOptional();

const createColoredAsset = scopedProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/colored-assets',
      operationId: 'createColoredAsset',
      summary: 'Create a colored asset',
      description: 'Tells the color of what it would create.',
      tags: ['assets'],
    },
    scopes: ['assets:write'],
    schemas: { request: 'CreateColoredAssetRequest', response: 'ColoredAssetResponse' },
  })
  .input(createAssetInput.extend({ color: colorField }))
  .output(described(z.object({ data: z.object({ name: z.string() }) })))
  .mutation(({ input }) => ({ data: { name: input.color ?? 'none' } }));

test('a field without a description stops the start with its name', async () => {
  await expect(serve({ createColoredAsset })).rejects.toThrow(
    'procedure createColoredAsset: field color of CreateColoredAssetRequest has no words in the description',
  );
});

test('a field made by a builder rejects in the words of the contract, and is described', async () => {
  createWords['color'] = 'What it looks like.';
  try {
    await using service = await serve({ createColoredAsset });
    const client = createClient(service.url, (await world.organization()).token);
    const create = (color?: unknown) => client.post('/api/v1/colored-assets', { name: 'Pallet', color });

    expect((await create('blue')).body).toEqual({ data: { name: 'blue' } });
    expect((await create()).body).toEqual({ data: { name: 'none' } });
    expect((await create('light blue')).body.error.fields).toEqual([
      {
        field: 'color',
        code: 'invalid_value',
        message: 'color must match ^[A-Za-z0-9-]+$: letters, digits and hyphens only',
        params: { pattern: '^[A-Za-z0-9-]+$' },
      },
    ]);
    expect((await create(null)).body).toEqual({ data: { name: 'none' } });
    expect((await create(5)).body.error.detail).toBe('color must be string; received number');

    const { body: description } = await client.get('/api/openapi.json');
    expect(description.components.schemas.CreateColoredAssetRequest.properties.color).toEqual({
      type: 'string',
      nullable: true,
      minLength: 1,
      maxLength: 32,
      pattern: '^[A-Za-z0-9-]+$',
      description: 'What it looks like. Letters, digits and hyphens only.',
    });
  } finally {
    delete createWords['color'];
  }
});

test('every column of assets and locations is in every place of a field', async () => {
  await using database = await createStartedDatabase();
  expect(await placesWithout(database.url)).toEqual([]);
});

test('a column that is added to assets and to nothing else is missing in each place, by name', async () => {
  await using database = await createStartedDatabase();
  await query(database.url, 'ALTER TABLE assets ADD COLUMN color TEXT COLLATE "C"');
  expect(await placesWithout(database.url)).toEqual([
    'assets.color: assetFields',
    'assets.color: assetView',
    'assets.color: the input of a create',
    'assets.color: the input of a patch',
    'assets.color: the input of a bulk edit',
    'assets.color: imports',
    'assets.color: exports',
    'assets.color: the activity log',
    'assets.color: the view of events',
    'assets.color: events of changes',
    'assets.color: undo',
  ]);
});

const countAssets = scopedProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/reports/asset-count',
      operationId: 'countAssets',
      summary: 'Count the assets',
      description: 'Tells how many live assets there are.',
      tags: ['assets'],
    },
    scopes: ['assets:read'],
    schemas: { response: 'AssetCountResponse' },
  })
  .input(z.strictObject({}))
  .output(described(z.object({ data: z.object({ total_count: z.int() }) })))
  .query(async ({ ctx }) => {
    const { db } = ctx.services;
    return {
      data: {
        total_count: await db.models(({ asset }) => asset.count({ where: { orgId: ctx.orgId, deletedAt: null } })),
      },
    };
  });

test('a procedure with an address has a route, asks for its scope, and is described', async () => {
  await using service = await serve({ countAssets });
  const organization = await world.organization();
  await organization.post('/api/v1/assets', { name: 'Pallet' });
  const client = createClient(service.url, organization.token);

  expect((await client.get('/api/v1/reports/asset-count')).body).toEqual({ data: { total_count: 1 } });
  expect((await client.call('HEAD', '/api/v1/reports/asset-count')).status).toBe(200);
  const refused = await client.call('PUT', '/api/v1/reports/asset-count');
  expect(refused.headers['allow']).toBe('GET, HEAD');
  const other = createClient(service.url, (await organization.withScopes(['locations:read'])).token);
  expect((await other.get('/api/v1/reports/asset-count')).body.error.detail).toBe(
    'Missing required scope: assets:read',
  );

  const { body: description } = await client.get('/api/openapi.json');
  expect(description.paths['/api/v1/reports/asset-count'].get).toMatchObject({
    operationId: 'countAssets',
    'x-required-scopes': ['assets:read'],
  });
  expect((await organization.get('/api/v1/reports/asset-count')).status).toBe(404);
});

/** `{"seen":[{"id":"e2801190","port":2,"dbm":-48,"at":1780587173}]}`, and `{"heartbeat":1}` in between. */
const acmeGate: FrameFormat = {
  findings: (frame) =>
    listFindings(frame, 'seen', (item, path) => ({
      tagType: 'rfid',
      value: hexOf(fieldOf(item, 'id')),
      path: `${path}.id`,
      antenna: fieldOf(item, 'port'),
      rssi: fieldOf(item, 'dbm'),
      timeMs: epochOf(fieldOf(item, 'at'), 's'),
    })),
  isStatus: (frame) => Object.hasOwn(frame, 'heartbeat'),
};

test('a format that says where the fields are understands reads, heartbeats and invalid messages', () => {
  const understand = (text: string, onReadsTopic = true) =>
    jsonFormat(acmeGate)({ topic: 'acme/reads', payload: Buffer.from(text), onReadsTopic, mapping: null });
  const read = { tagType: 'rfid', value: 'E2801190', antenna: 2, rssiDbm: -48, observedAtMs: 1_780_587_173_000 };
  const seen = '{"seen":[{"id":"e2801190","port":2,"dbm":-48,"at":1780587173}]}';

  expect(understand(seen)).toEqual({ kind: 'reads', reads: [read] });
  expect(understand(`${seen}{"seen":[{"port":1},{"id":"E2801191"}]}`)).toEqual({
    kind: 'reads',
    loss: 'seen[0].id is missing',
    reads: [read, { tagType: 'rfid', value: 'E2801191', antenna: 1, rssiDbm: null, observedAtMs: null }],
  });
  expect(understand('{"heartbeat":1}')).toEqual({ kind: 'status' });
  expect(understand('{"seen":[{"port":1}]}')).toEqual({ kind: 'rejected', reason: 'seen[0].id is missing' });
  expect(understand('online')).toEqual({ kind: 'rejected', reason: 'the payload is text, not JSON' });
  expect(understand('online', false)).toEqual({ kind: 'status' });
});

test('a migration in a folder of its own is applied once, recorded, and is what the schema says', async () => {
  const [script = ''] = blocksOf(recipes, 'sql');
  const [column = ''] = blocksOf(recipes, 'prisma');
  const name = '20991231000000_asset_color';
  using folder = createTestFolder();
  const prisma = path.join(folder.path, 'prisma');
  cpSync(path.join(projectRoot(), 'prisma'), prisma, { recursive: true });
  const migrations = path.join(prisma, 'migrations');
  mkdirSync(path.join(migrations, name));
  writeFileSync(path.join(migrations, name, 'migration.sql'), script);
  const schemaFile = path.join(prisma, 'schema.prisma');
  const schema = readFileSync(schemaFile, 'utf8');
  writeFileSync(schemaFile, schema.replace('model Asset {\n', `$&${column}`));

  await using database = await createTestDatabase();
  const { url } = database;
  expect(await scriptFromDatabaseToSchema(url, schemaFile)).toContain('ADD COLUMN     "color" TEXT');
  expect(await migrate({ url, log, folder: migrations })).toEqual([name]);
  expect(await migrate({ url, log, folder: migrations })).toEqual([]);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    'SELECT checksum, finished_at IS NOT NULL AS done FROM _prisma_migrations WHERE migration_name = $1',
    [name],
  );
  await client.end();
  expect(rows).toEqual([{ checksum: createHash('sha256').update(script).digest('hex'), done: true }]);
  expect((await scriptFromDatabaseToSchema(url, schemaFile)).replace('-- This is an empty migration.', '').trim()).toBe(
    '',
  );
});

test('a changed file of a function becomes a migration', async () => {
  const [, script = ''] = indentedBlocksOf('sql');
  using folder = createTestFolder();
  const prismaFolder = path.join(folder.path, 'prisma');
  cpSync(path.join(projectRoot(), 'prisma'), prismaFolder, { recursive: true });
  writeFileSync(path.join(prismaFolder, 'functions', 'tag_normal_form.sql'), script);

  await using database = await createTestDatabase();
  const { url } = database;
  const name = 'periods_in_addresses';
  const { changed, dropped, obstacles } = await writeFunctionMigration({ url, prismaFolder, name, nowMs: Date.now() });
  expect({ changed, dropped, obstacles }).toEqual({
    changed: ['tag_normal_form(text,text)'],
    dropped: [],
    obstacles: [],
  });
  const applied = await migrate({ url, log, folder: path.join(prismaFolder, 'migrations') });
  expect(applied).toEqual([expect.stringMatching(/^\d{14}_periods_in_addresses$/)]);
  expect(await compareFunctions({ url, folder: path.join(prismaFolder, 'functions') })).toMatchObject({ script: '' });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT tag_normal_form('ble', 'aabb.ccdd.eeff') AS form");
  await client.end();
  expect(rows).toEqual([{ form: 'AABBCCDDEEFF' }]);
});
