import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeEach, expect, expectTypeOf, test } from 'vitest';
import {
  type AssetUpdatedEvent,
  type AssetView,
  type Client,
  type ClientOptions,
  type CreateAssetRequest,
  createClient,
  eachRow,
  type EventAsset,
  type WebhookEvent,
  WhereaboutsError,
} from '../../clients/typescript/src/index.js';
import { describedApi, describedEvents } from '../../scripts/client/described-api.js';
import { writeEventTypes, writeTypes } from '../../scripts/client/write-types.js';
import { projectRoot } from '../../server/kernel/project-root.js';
import { blocksOf, readProjectFile } from '../docs/markdown.js';
import { createTestFolder, type TestFolder } from '../support/folder.js';
import { sharedWorld, type TestOrganization } from '../support/world.js';

const run = promisify(execFile);

const world = await sharedWorld();
let organization: TestOrganization;
beforeEach(async () => {
  organization = await world.organization();
});

function clientOf(options: Partial<ClientOptions> = {}): Client {
  return createClient({ baseUrl: world.url, token: organization.token, ...options });
}

test('its types and operations equal the result of npm run client', () => {
  const sourceOf = (file: string) => readProjectFile('clients', 'typescript', 'src', file);
  expect(sourceOf('api.ts')).toBe(writeTypes(describedApi()));
  expect(sourceOf('events.ts')).toBe(writeEventTypes(describedEvents(), describedApi()));
});

test('the type of an event says which data it has', () => {
  const placeOf = (event: WebhookEvent) => (event.type === 'asset.location_changed' ? event.data.to?.path : undefined);
  expectTypeOf(placeOf).returns.toEqualTypeOf<readonly string[] | undefined>();
  expectTypeOf<AssetUpdatedEvent['data']['after']>().toEqualTypeOf<EventAsset | null>();
  expectTypeOf<EventAsset>().toEqualTypeOf<AssetView>();
});

test('each operation is a method that takes path, query and body', async () => {
  const client = clientOf();
  const { data: hall } = await client.createLocation({ body: { name: 'Hall', external_key: 'HALL' } });
  const { data: asset } = await client.createAsset({
    body: { name: 'Forklift', external_key: 'F-1', tags: [{ tag_type: 'rfid', value: 'E2801170' }] },
  });
  expectTypeOf(asset).toEqualTypeOf<AssetView>();
  expect((await client.getLocation({ path: { location_id: hall.id } })).data).toEqual(hall);
  await client.updateAsset({ path: { asset_id: asset.id }, body: { ...asset, description: 'New' } });
  const found = await client.listAssets({ query: { external_key: ['F-1', 'F-2'], is_active: true } });
  expect(found.data).toMatchObject([{ id: asset.id, description: 'New' }]);
  const [tag] = asset.tags;
  expect(await client.removeAssetTag({ path: { asset_id: asset.id, tag_id: tag?.id ?? 0 } })).toBeUndefined();
  expect(await client.deleteAsset({ path: { asset_id: asset.id } })).toBeUndefined();
  expect((await client.getCurrentOrg()).data.api_key_id).toBe(organization.keyId);
});

test('a request with a wrong field or a missing one does not compile', () => {
  const client = clientOf();
  expectTypeOf(client.createLocation).toBeCallableWith({ body: { name: 'x', external_key: 'X' } });
  // @ts-expect-error: a location needs a name
  expectTypeOf(client.createLocation).toBeCallableWith({ body: { external_key: 'X' } });
  expectTypeOf<CreateAssetRequest>().not.toHaveProperty('location_id');
  // @ts-expect-error: the id is missing
  expectTypeOf(client.getAsset).toBeCallableWith({});
});

test('an error response is thrown with its type, its fields and the id of the request', async () => {
  const failure = clientOf().createAsset({ body: { name: '' } });
  const error = await failure.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WhereaboutsError);
  expect(error).toMatchObject({
    type: 'validation_error',
    status: 400,
    message: 'name must be at least 1 character(s)',
    fields: [{ field: 'name', code: 'too_short' }],
    requestId: expect.stringMatching(/^[0-9A-Z]{26}$/),
  });
});

test('all rows of a list are read, page by page', async () => {
  await world.db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at)
    SELECT ${organization.orgId}, 'A-' || lpad(n::text, 4, '0'), 'x', now() - interval '1 day', now(), now()
      FROM generate_series(1, 450) AS n`;
  const keys: string[] = [];
  const client = clientOf();
  for await (const { external_key: key } of eachRow((page) => client.listAssets({ query: page }))) keys.push(key);
  expect(keys).toHaveLength(450);
  expect(new Set(keys).size).toBe(450);
});

/** Returns a `fetch` with these results for its first calls; later ones reach the service. */
function failing(...failures: (Response | Error)[]): { fetch: typeof fetch; calls: () => number } {
  let calls = 0;
  return {
    calls: () => calls,
    fetch: async (input, init) => {
      calls += 1;
      const failure = failures.shift();
      if (failure instanceof Error) throw failure;
      return failure ?? fetch(input, init);
    },
  };
}

function tooMany({ retryAfter }: { retryAfter: string }): Response {
  const error = { type: 'rate_limited', status: 429, detail: 'Retry after 1 seconds', request_id: 'x' };
  return Response.json({ error }, { status: 429, headers: { 'Retry-After': retryAfter } });
}

const unavailable = () => new Response('<h1>Unavailable</h1>', { status: 503, headers: { 'Retry-After': '0' } });

test('a write is repeated after 429, but not if the service may have received it', async () => {
  const body = { name: 'Once' };
  const limited = failing(tooMany({ retryAfter: '0' }), tooMany({ retryAfter: '0' }));
  await clientOf({ fetch: limited.fetch }).createAsset({ body });
  expect(limited.calls()).toBe(3);
  const broken = failing(new TypeError('fetch failed'));
  await expect(clientOf({ fetch: broken.fetch }).createAsset({ body })).rejects.toThrow('fetch failed');
  expect(broken.calls()).toBe(1);
  const busy = failing(unavailable());
  await expect(clientOf({ fetch: busy.fetch }).createAsset({ body })).rejects.toMatchObject({ status: 503 });
  expect(busy.calls()).toBe(1);
  const { total_count: total } = await clientOf().listAssets();
  expect(total).toBe(1);
});

test('a read is repeated after an error page of a proxy, and reports the last one', async () => {
  const busy = failing(unavailable());
  await expect(clientOf({ fetch: busy.fetch }).listAssets()).resolves.toMatchObject({ total_count: 0 });
  expect(busy.calls()).toBe(2);
  const once = clientOf({ fetch: failing(unavailable()).fetch, attemptsMax: 1 });
  const failure = { type: 'unrecognized_response', status: 503, requestId: '', retryAfterSeconds: 0 };
  await expect(once.listAssets()).rejects.toMatchObject(failure);
});

test('attempts end with the last allowed one, and before a delay of more than a minute', async () => {
  const limited = failing(tooMany({ retryAfter: '0' }), tooMany({ retryAfter: '0' }), tooMany({ retryAfter: '0' }));
  await expect(clientOf({ fetch: limited.fetch, attemptsMax: 2 }).listAssets()).rejects.toMatchObject({ status: 429 });
  expect(limited.calls()).toBe(2);
  const daily = failing(tooMany({ retryAfter: '3600' }));
  await expect(clientOf({ fetch: daily.fetch }).listAssets()).rejects.toMatchObject({ retryAfterSeconds: 3600 });
  expect(daily.calls()).toBe(1);
});

test("the caller's signal ends the delay before the next attempt", async () => {
  const controller = new AbortController();
  const limited = failing(tooMany({ retryAfter: '60' }));
  const call = clientOf({ fetch: limited.fetch }).listAssets({ signal: controller.signal });
  const failure = call.catch((reason: unknown) => reason);
  await setImmediate();
  controller.abort(new Error('no longer needed'));
  expect(await failure).toMatchObject({ message: 'no longer needed' });
  expect(limited.calls()).toBe(1);
});

/** Builds the package, and installs it in a new folder as `npm install` would. */
async function installPackage(): Promise<TestFolder> {
  const folder = createTestFolder('client');
  const source = path.join(projectRoot(), 'clients', 'typescript');
  const installed = path.join(folder.path, 'node_modules', 'whereabouts-client');
  mkdirSync(installed, { recursive: true });
  copyFileSync(path.join(source, 'package.json'), path.join(installed, 'package.json'));
  const tsc = path.join(projectRoot(), 'node_modules', 'typescript', 'bin', 'tsc');
  const project = path.join(source, 'tsconfig.json');
  await run(process.execPath, [tsc, '--project', project, '--outDir', path.join(installed, 'dist')]);
  return folder;
}

test('the package builds by itself, and the example and the documented program run with it', async () => {
  using folder = await installPackage();
  const env = { WHEREABOUTS_URL: world.url, WHEREABOUTS_KEY: organization.token };

  const example = path.join(folder.path, 'where-is.mjs');
  copyFileSync(path.join(projectRoot(), 'clients', 'typescript', 'examples', 'where-is.mjs'), example);
  const { body: hall } = await organization.post('/api/v1/locations', { name: 'Hall 1' });
  await organization.post('/api/v1/assets', { name: 'Reach truck' });
  await organization.post('/api/v1/assets', { name: 'Pallet' });
  expect((await run(process.execPath, [example, 'truck'], { env })).stdout).toBe('Reach truck: no location\n');
  const rejected = run(process.execPath, [example, 'x'], { env: { ...env, WHEREABOUTS_KEY: 'none' } });
  await expect(rejected).rejects.toThrow(/Invalid or expired token \(request /);

  // The documented program has no syntax of TypeScript, so Node.js runs it as it is.
  const [text = ''] = blocksOf(readProjectFile('docs', 'typescript-client.md'), 'ts');
  const program = path.join(folder.path, 'documented.mjs');
  writeFileSync(program, text.replace('https://things.example.com', world.url));
  expect((await run(process.execPath, [program], { env })).stdout).toBe(`${hall.data.name}\n`);
  const { body: list } = await organization.get('/api/v1/assets?external_key=FORKLIFT-7');
  expect(list.data).toMatchObject([{ description: 'Spare battery in locker 3' }]);
});
