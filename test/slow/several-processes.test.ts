import { afterAll, beforeAll, expect, test } from 'vitest';
import { logIn } from '../support/raw-login.js';
import { type Fleet, type FleetReader, startBalancer, startFleet } from '../support/fleet.js';
import { answerPacket, packetTypes, publishPacket, type RawMqtt } from '../support/raw-mqtt.js';
import { createRetryingReader } from '../support/retrying-reader.js';

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet();
});

afterAll(async () => {
  await fleet[Symbol.asyncDispose]();
});

let tags = 0;

/** An asset of one test's own, made through the first gateway, with a tag that nothing else has. */
async function createAsset(): Promise<{ id: number; tag: string }> {
  const { clients } = await fleet.withKey();
  tags += 1;
  const tag = `E280119000000000${String(tags).padStart(8, '0')}`;
  const { status, body } = await clients[0].post('/api/v1/assets', {
    name: 'Pallet',
    tags: [{ tag_type: 'rfid', value: tag }],
  });
  expect(status).toBe(201);
  return { id: body.data.id, tag };
}

const firstReadMs = Date.now() - 3_600_000;

/** What a reader sends as its message of a number: one read, at a time that no other message has. */
function readOf(tag: string, number: number): string {
  return JSON.stringify({
    reads: [{ value: tag, observed_at: new Date(firstReadMs + number * 100).toISOString() }],
  });
}

async function numbersStored(assetId: number): Promise<number[]> {
  const { rows } = await fleet.database.query<{ at: Date }>(
    'SELECT event_observed_at AS at FROM scan_events WHERE asset_id = $1 ORDER BY event_observed_at',
    [assetId],
  );
  return rows.map(({ at }) => (at.getTime() - firstReadMs) / 100);
}

async function acknowledged(client: RawMqtt, reader: FleetReader, payload: string): Promise<void> {
  client.send(publishPacket({ topic: reader.publish_topic, payload, qos: 1 }));
  expect((await client.next())?.type).toBe(packetTypes.puback);
}

test.each(['evidence', 'newest'])(
  'a read that two ingest processes store concurrently is stored once, by the rule %s',
  async (location_rule) => {
    const assets = await Promise.all([createAsset(), createAsset(), createAsset()]);
    const reader = await fleet.reader({ location_rule, resolution_seconds: 0 });
    const numbers = Array.from({ length: 30 }, (_, number) => number);
    // Each sends every message, so that each read comes twice.
    await Promise.all(
      fleet.ingests.map(async (ingest, index) => {
        using client = await logIn(ingest, reader, { clientId: `antenna-${index}`, clean: true });
        for (const number of numbers) {
          for (const { tag } of assets) await acknowledged(client, reader, readOf(tag, number));
        }
      }),
    );
    const { clients } = await fleet.withKey();
    for (const { id } of assets) {
      expect(await numbersStored(id)).toEqual(numbers);
      const [one, other] = await Promise.all(clients.map((client) => client.get(`/api/v1/assets/${id}/history`)));
      expect(one?.body.total_count).toBe(numbers.length);
      expect(other?.body).toEqual(one?.body);
    }
    const [one, other] = await Promise.all(clients.map((client) => client.get('/api/v1/reports/asset-locations')));
    expect(other?.body).toEqual(one?.body);
  },
);

test('a message that a reader resends to another process creates one event', async () => {
  const { id, tag } = await createAsset();
  const reader = await fleet.reader({ resolution_seconds: 0 });
  const [one, other] = fleet.ingests;
  const packet = (dup: boolean) =>
    publishPacket({ topic: reader.publish_topic, payload: readOf(tag, 7), qos: 2, id: 9, dup });
  using before = await logIn(one, reader);
  before.send(packet(false));
  expect((await before.next())?.type).toBe(packetTypes.pubrec);
  before.socket.resetAndDestroy();
  // Sessions belong to the process that has them.
  using after = await logIn(other, reader);
  expect(after.hasSession).toBe(false);
  after.send(packet(true));
  expect((await after.next())?.type).toBe(packetTypes.pubrec);
  after.send(answerPacket(packetTypes.pubrel, 9));
  expect((await after.next())?.type).toBe(packetTypes.pubcomp);
  expect(await numbersStored(id)).toEqual([7]);
});

test('both gateways share the budget of a key', async () => {
  const { clients } = await fleet.withKey();
  const left: number[] = [];
  for (const client of [...clients, ...clients]) {
    const { headers } = await client.get('/api/v1/assets');
    left.push(Number(headers['x-ratelimit-remaining']));
  }
  expect(left).toEqual([2999, 2998, 2997, 2996]);
});

test('a key revoked through one gateway is rejected by the other within a second', async () => {
  const { id, clients } = await fleet.withKey();
  for (const client of clients) expect((await client.get('/api/v1/assets')).status).toBe(200);
  await fleet.call(fleet.gateways[0], 'apiKeys.revoke', { id });
  const revokedAtMs = performance.now();
  let acceptedAtMs = revokedAtMs;
  const statusNow = async () => {
    const sentAtMs = performance.now();
    const { status } = await clients[1].get('/api/v1/assets');
    if (status === 200) acceptedAtMs = sentAtMs;
    return status;
  };
  await expect.poll(statusNow).toBe(401);
  expect(acceptedAtMs - revokedAtMs).toBeLessThan(1000);
});

test.each(['rotateSecret', 'delete'])(
  'readers.%s through a gateway ends connections to all ingest processes',
  async (what) => {
    const reader = await fleet.reader();
    const [one, other] = fleet.ingests;
    using first = await logIn(one, reader, { clientId: 'first', clean: true });
    using second = await logIn(other, reader, { clientId: 'second', clean: true });
    await fleet.call(fleet.gateways[0], `readers.${what}`, { id: reader.id });
    await Promise.all([first.closed(), second.closed()]);
    await expect(logIn(other, reader)).rejects.toThrow('login rejected');
  },
);

test('without Redis, requests are answered and reads are stored, and everything recovers when Redis returns', async () => {
  const { id, tag } = await createAsset();
  const reader = await fleet.reader({ resolution_seconds: 0 });
  const { clients } = await fleet.withKey();
  using before = await logIn(fleet.ingests[0], reader, { clientId: 'before' });
  const statusOf = async ({ url }: { url: string }) => {
    const { status } = (await (await fetch(`${url}/readyz`)).json()) as { status: string };
    return status;
  };
  const all = [...fleet.gateways, ...fleet.ingests];
  const states = async () => [...new Set(await Promise.all(all.map(statusOf)))];
  expect(await states()).toEqual(['ok']);

  const warnings = () => fleet.gateways[0].process.logged.filter(({ level }) => level === 'warn').map(({ msg }) => msg);
  const warned = warnings().length;
  await fleet.redis.kill();
  for (const client of clients) expect((await client.get('/api/v1/assets')).status).toBe(200);
  await acknowledged(before, reader, readOf(tag, 1));
  using meanwhile = await logIn(fleet.ingests[1], reader, { clientId: 'meanwhile' });
  await acknowledged(meanwhile, reader, readOf(tag, 2));
  await expect.poll(states).toEqual(['degraded']);
  for (const { url } of all) {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('\nwhereabouts_redis_up 0\n');
  }

  await expect.poll(() => warnings().slice(warned)).toEqual([expect.stringMatching(/^Redis is unavailable/)]);

  await fleet.redis.restart();
  await expect.poll(states).toEqual(['ok']);
  const left: number[] = [];
  for (const client of clients)
    left.push(Number((await client.get('/api/v1/assets')).headers['x-ratelimit-remaining']));
  expect(left).toEqual([2999, 2998]);
  await acknowledged(before, reader, readOf(tag, 3));
  await acknowledged(meanwhile, reader, readOf(tag, 4));
  expect(await numbersStored(id)).toEqual([1, 2, 3, 4]);
});

test.each([
  [1, 'evidence'],
  [1, 'newest'],
  [2, 'evidence'],
] as const)(
  'no read acknowledged at QoS %d is lost or duplicated when a process is killed: %s',
  async (qos, location_rule) => {
    const { id, tag } = await createAsset();
    const reader = await fleet.reader({ location_rule, resolution_seconds: 0 });
    await using balancer = await startBalancer(fleet.ingests.map(({ port }) => port));
    const payload = (number: number) => readOf(tag, number);
    using device = createRetryingReader({ port: balancer.port, reader, qos, window: 20, payload });
    await expect.poll(() => device.acknowledged()).toBeGreaterThan(100);
    const before = device.connections();
    await fleet.replaceIngest();
    await expect.poll(() => device.connections()).toBeGreaterThan(before);
    const resumedAt = device.acknowledged();
    await expect.poll(() => device.acknowledged()).toBeGreaterThan(resumedAt + 100);
    await device.finish();
    expect(await numbersStored(id)).toEqual(Array.from({ length: device.messages() }, (_, number) => number));
  },
);

const eventsOfAsset =
  'SELECT event_observed_at, location_id, antenna FROM scan_events WHERE asset_id = $1 ORDER BY event_observed_at';
/** The open visit is the position. */
const visitsOfAsset = 'SELECT arrived_at, left_at, location_id FROM visits WHERE asset_id = $1 ORDER BY arrived_at';

test('after one of two processes is killed, locations and history are the same as from one process', async () => {
  const { clients } = await fleet.withKey();
  const locations = await Promise.all(
    ['Dock', 'Hall'].map(async (name) => (await clients[0].post('/api/v1/locations', { name })).body.data.id as number),
  );
  const createReaders = () =>
    Promise.all(locations.map((location_id) => fleet.reader({ location_id, resolution_seconds: 0 })));
  const createAssets = () => Promise.all(Array.from({ length: 10 }, createAsset));
  /** Both readers read each asset in each message, at times that no other read has; each read at the other location is a move. */
  const payloadOf = (assets: readonly { tag: string }[], reader: number) => (number: number) =>
    JSON.stringify({
      reads: assets.map(({ tag }, no) => ({
        value: tag,
        observed_at: new Date(firstReadMs + number * 100 + reader * 50 + no).toISOString(),
      })),
    });

  const [assets, readers] = [await createAssets(), await createReaders()];
  await using balancer = await startBalancer(fleet.ingests.map(({ port }) => port));
  const startDevice = (index: number) =>
    createRetryingReader({
      port: balancer.port,
      reader: readers[index] as FleetReader,
      qos: 1,
      window: 20,
      payload: payloadOf(assets, index),
    });
  using atDock = startDevice(0);
  using inHall = startDevice(1);
  const devices = [atDock, inHall];
  const takenOfEach = () => Math.min(...devices.map((device) => device.acknowledged()));
  const connections = () => devices.reduce((sum, device) => sum + device.connections(), 0);
  await expect.poll(takenOfEach).toBeGreaterThan(50);
  const connectedBefore = connections();
  await fleet.replaceIngest();
  await expect.poll(connections).toBeGreaterThan(connectedBefore);
  const resumedAt = takenOfEach();
  await expect.poll(takenOfEach).toBeGreaterThan(resumedAt + 50);
  await Promise.all(devices.map((device) => device.finish()));
  const sent = devices.map((device) => device.messages());

  // The same reads of other assets, in the order of their times, by one process.
  const [twins, alone] = [await createAssets(), await createReaders()];
  using one = await logIn(fleet.ingests[1], alone[0] as FleetReader);
  using other = await logIn(fleet.ingests[1], alone[1] as FleetReader);
  for (let number = 0; number < Math.max(...sent); number += 1) {
    for (const [index, client] of [one, other].entries()) {
      if (number >= (sent[index] ?? 0)) continue;
      await acknowledged(client, alone[index] as FleetReader, payloadOf(twins, index)(number));
    }
  }
  for (const [no, { id }] of assets.entries()) {
    const { rows: events } = await fleet.database.query(eventsOfAsset, [id]);
    expect(events).toHaveLength(sent.reduce((sum, messages) => sum + messages, 0));
    const twin = twins[no]?.id;
    expect(events).toEqual((await fleet.database.query(eventsOfAsset, [twin])).rows);
    const { rows: visits } = await fleet.database.query(visitsOfAsset, [id]);
    expect(visits).toEqual((await fleet.database.query(visitsOfAsset, [twin])).rows);
  }
});
