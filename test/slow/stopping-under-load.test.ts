import { Agent, request } from 'node:http';
import { connectAsync, type MqttClient } from 'mqtt';
import { ulid } from 'ulid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selectableScopes } from '../../server/people/auth/scopes.js';
import { createDataSeed, type DataSeed } from '../support/data-folder.js';
import { pollOptions } from '../support/poll-options.js';
import { addressIn, startService } from '../support/service-process.js';

let seed: DataSeed;

beforeAll(async () => {
  seed = await createDataSeed();
});

afterAll(() => seed[Symbol.dispose]());

type Call = { method?: string; path: string; body?: unknown; token?: string };
type Reply = { status: number; body: any };

/** Calls a service over kept connections; rejects where a connection ends without an answer. */
function createCaller(url: string, agent: Agent) {
  const send = ({ method = 'POST', path, body, token }: Call): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const headers = {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': type }),
      };
      const outgoing = request(`${url}${path}`, { method, agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text && JSON.parse(text) }));
      });
      outgoing.on('error', reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const data = ({ status, body }: Reply) => {
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.result.data;
  };
  return {
    send,
    /** Calls procedures as a person. */
    mutate: async (path: string, body: unknown, token?: string) =>
      data(await send({ path: `/trpc/${path}`, body, ...(token !== undefined && { token }) })),
    query: async (path: string, input: unknown, token: string) =>
      data(
        await send({
          method: 'GET',
          path: `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`,
          token,
        }),
      ),
  };
}

/** Publishes one read after the other at QoS 1 until the connection ends. */
async function publish(client: MqttClient, topic: string): Promise<void> {
  const read = { value: 'E2801', antenna: 1, rssi_dbm: -50 };
  while (client.connected) {
    await client.publishAsync(topic, JSON.stringify({ reads: [read] }), { qos: 1 }).catch(() => {});
  }
}

const times = <Result>(count: number, make: () => Result) => Array.from({ length: count }, make);

test('a service that is stopped under load rejects only data that it has not stored, and logs no errors', async () => {
  using folder = seed.createFolder();
  const options = { folder: folder.path, env: { RATE_LIMIT_REQUESTS: '1000000' } };
  await using service = startService(options);
  const output = await service.ready;
  const agent = new Agent({ keepAlive: true });
  const { send, mutate, query } = createCaller(addressIn(output, 'http'), agent);
  const account = { organization_name: 'Acme', name: 'Ada', email: 'ada@example.com', password: 'a long password' };
  const { token: session } = await mutate('session.signUp', account);
  const key = { name: 'load', scopes: selectableScopes, expires_at: null };
  const { token } = await mutate('apiKeys.create', key, session);
  const { data: location } = (await send({ path: '/api/v1/locations', body: { name: 'Hall' }, token })).body;
  const tags = [{ tag_type: 'rfid', value: 'E2801' }];
  const { data: asset } = (await send({ path: '/api/v1/assets', body: { name: 'Pallet', tags }, token })).body;
  const gate = { name: 'Gate', format: 'native', location_id: location.id };
  const reader = await mutate('readers.create', gate, session);
  const login = { username: reader.mqtt_username, password: reader.mqtt_password, reconnectPeriod: 0 };
  const client = await connectAsync(addressIn(output, 'mqtt'), login);
  client.on('error', () => {});

  const file = { kind: 'assets', file_name: 'a.csv', columns: ['name', 'description'], row_count: 40_000 };
  const { import: begun } = await mutate('imports.create', file, session);
  for (let chunk = 0; chunk < 8; chunk += 1) {
    const rows = times(5000, () => ({ line: 0, cells: ['Row', 'from a file'] }));
    for (const [index, row] of rows.entries()) row.line = chunk * 5000 + index + 2;
    await mutate('imports.addRows', { import_id: begun.id, chunk, rows }, session);
  }
  const state = () => query('imports.get', { import_id: begun.id }, session);
  await mutate('imports.check', { import_id: begun.id }, session);
  await expect.poll(async () => (await state()).status, pollOptions).toBe('checked');

  const statuses = new Set<number>();
  let answers = 0;
  let created = 0;
  let isStopping = false;

  /** Repeats a call until the service is away. */
  async function repeat(make: () => Call): Promise<void> {
    for (;;) {
      const status = await send({ token, ...make() }).then(
        (reply) => reply.status,
        () => undefined,
      );
      if (status === undefined && isStopping) return;
      // The service is being stopped, and has no time left for this request.
      if (status === 503 && isStopping) continue;
      statuses.add(status ?? 0);
      answers += 1;
      if (status === 201) created += 1;
    }
  }

  const assetPath = `/api/v1/assets/${asset.id}`;
  const patch = (path: string) => () => ({ method: 'PATCH', path, body: { description: ulid() } });
  const load = [
    ...times(6, () => repeat(() => ({ path: '/api/v1/assets', body: { name: 'Crate' } }))),
    ...times(12, () => repeat(patch(assetPath))),
    ...times(3, () => repeat(patch(`/api/v1/locations/${location.id}`))),
    ...times(4, () => repeat(() => ({ method: 'GET', path: '/api/v1/assets?q=crate&limit=200' }))),
    ...times(3, () =>
      repeat(() => {
        const body = { submission_id: ulid(), location_id: location.id, reads: [{ asset_id: asset.id }] };
        return { path: '/trpc/scans.submit', token: session, body };
      }),
    ),
  ];

  // What is not acknowledged when the connection ends stays with the client.
  void publish(client, reader.publish_topic);
  await expect.poll(() => answers, pollOptions).toBeGreaterThan(100);
  await mutate('imports.applyFile', { import_id: begun.id }, session);
  await expect.poll(async () => (await state()).done_rows, { timeout: 120_000 }).toBe(40_000);
  // On a busy machine it may be over by now.
  expect(['applying', 'applied']).toContain((await state()).status);

  isStopping = true;
  expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  await Promise.all(load);
  agent.destroy();
  client.end(true);
  expect(service.logged.filter(({ level }) => ['warn', 'error', 'fatal'].includes(String(level)))).toEqual([]);
  expect(statuses).toEqual(new Set([200, 201]));

  await using next = startService(options);
  const { send: sendNext } = createCaller(addressIn(await next.ready, 'http'), new Agent());
  const crates = await sendNext({ method: 'GET', path: '/api/v1/assets?q=crate&limit=1', token });
  expect(crates.body.total_count).toBe(created);
}, 240_000);
