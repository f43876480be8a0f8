import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdentity } from '../../server/people/auth/identity.js';
import { selectableScopes } from '../../server/people/auth/scopes.js';
import { openTestDb } from '../support/models.js';
import { createLog } from '../../server/kernel/log.js';
import { readSettings } from '../../server/kernel/settings.js';
import { authSecret } from '../support/caller.js';
import { createDataSeed, type DataSeed } from '../support/data-folder.js';
import { databaseProcess } from '../support/database-process.js';
import { freePort } from '../support/program.js';
import { createRandom } from '../support/random.js';
import { createClient } from '../support/rest-client.js';
import { type ServiceProcess, startService } from '../support/service-process.js';
import { createReceiver } from '../support/webhook-receiver.js';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

let seed: DataSeed;
let token: string;

beforeAll(async () => {
  seed = await createDataSeed(async (url) => {
    const log = createLog('silent');
    const db = openTestDb(url, 2);
    const { id: orgId } = await db.organization.create({ data: { name: 'Acme' } });
    const id = randomUUID();
    await db.apiKey.create({ data: { id, orgId, name: 'test', scopes: [...selectableScopes] } });
    await db.$executeRaw`
      INSERT INTO webhook_endpoints (org_id, name, url, event_types, secret, created_at, updated_at)
      VALUES (${orgId}::int, 'Receiver', 'http://127.0.0.1:1/', ARRAY['asset.created', 'asset.deleted'], ${secret}, now(), now())`;
    const { environment } = readSettings({});
    const identity = createIdentity({ db, log, settings: { authSecret, environment } });
    token = await identity.signApiKey({ id, expiresAtMs: null });
    await identity.stop();
    await db.$disconnect();
  });
});

afterAll(() => seed[Symbol.dispose]());

/** Ways to end the service, or its database as `pg_ctl stop -m immediate` does. */
const kills: ((service: ServiceProcess, folder: string) => void)[] = [
  (service) => service.child.kill('SIGKILL'),
  (_service, folder) => process.kill(databaseProcess(folder).pid, 'SIGQUIT'),
  (service) => service.child.kill('SIGKILL'),
  (service, folder) => {
    const { pid } = databaseProcess(folder);
    service.child.kill('SIGKILL');
    process.kill(pid, 'SIGQUIT');
  },
];

/** What the API says of a request that may have been cut off: undefined where nobody knows. */
async function tryTo<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call();
  } catch {
    return undefined;
  }
}

test('every event arrives with one id and none is invented, even if the service and the database are killed', async () => {
  using folder = seed.createFolder();
  await using receiver = await createReceiver();
  receiver.secret = secret;
  const random = createRandom(7);
  // Some attempts fail, so that there is something to repeat at any moment.
  receiver.answer = () => (random() < 0.1 ? { status: 500 } : { status: 204 });
  const port = await freePort();
  const start = () =>
    startService({
      folder: folder.path,
      env: { PORT: String(port), AUTH_SECRET: authSecret, WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: 'true' },
    });
  const api = createClient(`http://127.0.0.1:${port}`, token);
  let isWriting = true;
  let written = 0;
  const write = async () => {
    while (isWriting) {
      const made = await tryTo(() => api.post('/api/v1/assets', { name: `Asset ${written}` }));
      if (made?.status === 201) {
        written += 1;
        if (written % 3 === 0) await tryTo(() => api.delete(`/api/v1/assets/${made.body.data.id}`));
      } else await delay(50);
    }
  };
  let service = start();
  await service.ready;
  const connect = async () => {
    const client = new pg.Client({ connectionString: databaseProcess(folder.path).url });
    await client.connect();
    return client;
  };
  const first = await connect();
  await first.query('UPDATE webhook_endpoints SET url = $1', [receiver.url]);
  await first.end();
  const writing = Promise.all([write(), write()]);
  try {
    for (const kill of kills) {
      await delay(1000 + random() * 1500);
      kill(service, folder.path);
      await service.ended;
      service = start();
      await service.ready;
    }
    await expect.poll(() => written).toBeGreaterThan(20);
    isWriting = false;
    await writing;
    const client = await connect();
    // Claims of the processes that were killed would end after 35 seconds.
    await client.query('UPDATE webhook_deliveries SET claimed_until = now() WHERE claimed_until > now()');
    // What failed four times in a row waits for half an hour; everything is to come now.
    const waiting = async () => {
      await client.query(`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'pending'`);
      const { rows } = await client.query<{ n: number }>(
        `SELECT (SELECT count(*) FROM outbox_events)::int + (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending')::int AS n`,
      );
      return rows[0]?.n;
    };
    await expect.poll(waiting, { timeout: 120_000, interval: 500 }).toBe(0);
    const { rows: assets } = await client.query<{ id: number; deleted: boolean }>(
      'SELECT id, deleted_at IS NOT NULL AS deleted FROM assets',
    );
    await client.end();
    expect(assets.length).toBeGreaterThanOrEqual(written);
    const expected = assets.flatMap(({ id, deleted }) => [`created ${id}`, ...(deleted ? [`deleted ${id}`] : [])]);
    const idsOf = new Map<string, Set<string>>();
    for (const { id, body } of receiver.received) {
      const { before, after } = body.data;
      const event = `${body.type.slice('asset.'.length)} ${(after ?? before).id}`;
      idsOf.set(event, (idsOf.get(event) ?? new Set()).add(id));
    }
    expect([...idsOf.keys()].toSorted()).toEqual(expected.toSorted());
    expect([...idsOf].filter(([, ids]) => ids.size !== 1)).toEqual([]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(expected.length);
    expect(receiver.refused).toEqual([]);
  } finally {
    isWriting = false;
    await service[Symbol.asyncDispose]();
  }
}, 240_000);
