import { afterAll, expect, it } from 'vitest';
import type { TransactionClient } from '../../server/kernel/database/client.js';
import { ingestReads } from '../../server/tracking/scans/ingest.js';
import type { TagRead } from '../../server/tracking/scans/reader-message.js';
import { removeOldTelemetry } from '../../server/things/telemetry/store-telemetry.js';
import { sharedBrokerWorld } from '../support/mqtt.js';
import type { ScanOrganization } from '../support/scan-world.js';
import { send } from './devices/playing.js';

// What tags measure, from the messages of a Ruuvi Gateway and of Theengs to the values of an asset's tag.

const world = await sharedBrokerWorld();
afterAll(() => world[Symbol.asyncDispose]());

const mac = 'F95BC0EC4E56';
const ruuviTopic = 'ruuvi/DE:AD:BE:EF:00:00/F9:5B:C0:EC:4E:56';
const rawV2 = '0201061BFF99040512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F';
/** The same at -10.5 °C. */
const frozen = '0201061BFF990405F7CC5394C37C0004FFFC040CAC364200CDCBB8334C884F';

const ofRuuvi = (data: string, at: number) => ({
  gw_mac: 'DE:AD:BE:EF:00:00',
  rssi: -83,
  gwts: String(at),
  ts: String(at),
  data,
  coords: '',
});
const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;

async function tagged(org: ScanOrganization, value = mac): Promise<number> {
  return org.asset({ tags: [['ble', value]] });
}

async function valuesOf(org: ScanOrganization, assetId: number) {
  const { tags } = await org.admin.assets.telemetry({ asset_id: assetId });
  return tags.map(({ values }) => values);
}

async function chartOf(org: ScanOrganization, assetId: number) {
  const { tags } = await org.admin.assets.telemetry({ asset_id: assetId });
  const { hours } = await org.admin.assets.telemetryHours({ asset_id: assetId, tag_id: tags[0]?.tag_id ?? 0 });
  return hours;
}

function hoursOf(org: ScanOrganization) {
  return world.db.tagTelemetryHour.findMany({ where: { orgId: org.orgId }, orderBy: { hour: 'asc' } });
}

it('a RuuviTag shows its last values, each with its time, and keeps one an hour', async () => {
  const org = await world.organization();
  const assetId = await tagged(org);
  const reader = await org.reader({ format: 'ruuvi', publish_topic: 'ruuvi/DE:AD:BE:EF:00:00/+' });
  const client = await world.connect(reader);
  const [early, late] = [secondsAgo(3 * 3600), secondsAgo(30)];
  await send(client, ruuviTopic, ofRuuvi(rawV2, late));
  const at = new Date(late * 1000).toISOString();
  const values = {
    temperature: { value: 24.3, at },
    humidity: { value: 53.49, at },
    voltage: { value: 2.977, at },
    movements: { value: 66, at },
  };
  expect(await valuesOf(org, assetId)).toEqual([values]);
  // Late reads of an outage fill the hours and replace nothing; a message that comes again changes nothing.
  await send(client, ruuviTopic, ofRuuvi(frozen, early));
  await send(client, ruuviTopic, ofRuuvi(rawV2, late));
  expect(await valuesOf(org, assetId)).toEqual([values]);
  expect(await hoursOf(org)).toMatchObject([
    { hour: new Date(Math.floor(early / 3600) * 3_600_000), temperature: -10.5 },
    { hour: new Date(Math.floor(late / 3600) * 3_600_000), temperature: 24.3, battery: null },
  ]);
  const hour = (at: number) => new Date(Math.floor(at / 3600) * 3_600_000).toISOString();
  const same = { battery: null, voltage: 2.977, humidity: 53.49 };
  expect(await chartOf(org, assetId)).toEqual([
    { ...same, hour: hour(early), temperature: -10.5 },
    { ...same, hour: hour(late), temperature: 24.3 },
  ]);
});

it('continuous values change every ten seconds at most, states at once', async () => {
  const org = await world.organization();
  const assetId = await tagged(org);
  const client = await world.connect(await org.reader({ format: 'theengs' }));
  const topic = (await org.admin.readers.list()).data[0]?.publish_topic ?? '';
  const message = (at: number, measured: object) => ({ id: mac, rssi: -70, unixtime: at, ...measured });
  const begin = secondsAgo(60);
  await send(client, topic, message(begin, { tempc: 20, motion: true }));
  await send(client, topic, message(begin + 5, { tempc: 21, motion: false }));
  const before = await valuesOf(org, assetId);
  expect(before).toMatchObject([{ temperature: { value: 20 }, motion: { value: 0 } }]);
  await send(client, topic, message(begin + 10, { tempc: 21 }));
  expect(await valuesOf(org, assetId)).toMatchObject([{ temperature: { value: 21 }, motion: { value: 0 } }]);
});

it('an hour keeps the first value of each quantity', async () => {
  const org = await world.organization();
  const assetId = await tagged(org);
  const reader = await org.reader({ format: 'theengs' });
  const client = await world.connect(reader);
  const hour = Math.floor(secondsAgo(7200) / 3600) * 3600;
  await send(client, reader.publish_topic, { id: mac, rssi: -70, unixtime: hour + 60, tempc: 20 });
  await send(client, reader.publish_topic, { id: mac, rssi: -70, unixtime: hour + 600, tempc: 25, hum: 40 });
  expect(await chartOf(org, assetId)).toMatchObject([{ temperature: 20, humidity: 40 }]);
});

it('values belong to the tags of an organization: others, strangers and detached tags have none', async () => {
  const [org, other] = [await world.organization(), await world.organization()];
  const [assetId, foreignId] = [await tagged(org), await tagged(other)];
  const reader = await org.reader({ format: 'theengs' });
  const client = await world.connect(reader);
  await send(client, reader.publish_topic, [
    { id: mac, rssi: -70, batt: 15 },
    { id: 'F95BC0EC4E57', rssi: -70, batt: 15 },
  ]);
  expect(await valuesOf(org, assetId)).toMatchObject([{ battery: { value: 15 } }]);
  expect(await valuesOf(other, foreignId)).toEqual([{}]);
  await expect(other.admin.assets.telemetry({ asset_id: assetId })).rejects.toMatchObject({ type: 'not_found' });
  expect(await chartOf(org, assetId)).toMatchObject([{ battery: 15 }]);
  const own = await org.admin.assets.telemetry({ asset_id: assetId });
  const tag_id = own.tags[0]?.tag_id ?? 0;
  await expect(other.admin.assets.telemetryHours({ asset_id: assetId, tag_id })).rejects.toMatchObject({
    type: 'not_found',
  });
  // A tag is asked for with its own asset alone.
  expect(await other.admin.assets.telemetryHours({ asset_id: foreignId, tag_id })).toEqual({ hours: [] });
  const without = await org.asset();
  expect(await org.admin.assets.telemetryHours({ asset_id: without, tag_id })).toEqual({ hours: [] });
  expect(await world.db.tagTelemetry.count({ where: { orgId: org.orgId } })).toBe(1);
  const { tags } = await org.admin.assets.telemetry({ asset_id: assetId });
  await org.admin.tags.removeFromAsset({ asset_id: assetId, tag_id: tags[0]?.tag_id ?? 0 });
  expect(await world.db.tagTelemetry.count({ where: { orgId: org.orgId } })).toBe(0);
  expect(await hoursOf(org)).toEqual([]);
});

it('the list of assets has the lowest battery of an asset if requested, and finds low ones', async () => {
  const org = await world.organization();
  const low = await org.asset({
    tags: [
      ['ble', mac],
      ['ble', 'F95BC0EC4E57'],
    ],
  });
  const [full, unknown] = [await tagged(org, 'F95BC0EC4E58'), await tagged(org, 'F95BC0EC4E59')];
  const reader = await org.reader({ format: 'theengs' });
  const client = await world.connect(reader);
  await send(client, reader.publish_topic, [
    { id: mac, rssi: -70, batt: 80 },
    { id: 'F95BC0EC4E57', rssi: -70, batt: 19 },
    { id: 'F95BC0EC4E58', rssi: -70, batt: 20 },
  ]);
  const listed = async (input: Partial<Parameters<typeof org.admin.assets.table>[0]>) => {
    const { data } = await org.admin.assets.table({ sort: undefined, ...input });
    return Object.fromEntries(data.map(({ id, battery }) => [id, battery]));
  };
  expect(await listed({ with_battery: true })).toEqual({ [low]: 19, [full]: 20, [unknown]: null });
  expect(await listed({})).toEqual({ [low]: null, [full]: null, [unknown]: null });
  expect(await listed({ battery_low: true, with_battery: true })).toEqual({ [low]: 19 });
  expect(await listed({ battery_low: true, tag_type: 'ble', sort: '-asset_last_seen' })).toEqual({ [low]: null });
  expect(await listed({ battery_low: false, seen: true })).toEqual({ [full]: null });
});

it('a batch without measurements runs no further statement', async () => {
  const org = await world.organization();
  await tagged(org);
  const reader = await org.reader({ format: 'theengs' });
  const namesFor = async (telemetry: Pick<TagRead, 'telemetry'>) => {
    const names: string[] = [];
    const noting = (runner: TransactionClient): TransactionClient => ({
      ...runner,
      run: (statement, input) => (names.push(statement.name), runner.run(statement, input)),
      runLast: (statement, input) => (names.push(statement.name), runner.runLast(statement, input)),
    });
    const { connections } = world;
    const read: TagRead = { tagType: 'ble', value: mac, antenna: 1, rssiDbm: -70, observedAtMs: null, ...telemetry };
    const message = {
      orgId: org.orgId,
      readerId: reader.id,
      topic: '',
      content: { kind: 'reads' as const, reads: [read] },
    };
    await ingestReads(
      { $transaction: (work) => connections.$transaction((runner) => work(noting(runner))) },
      [{ message, receivedAtMs: Date.now() }],
      { retentionDays: 30, waitForTrees: true },
    );
    return names.filter((name) => !name.startsWith('store_') || name.includes('telemetry'));
  };
  expect(await namesFor({})).toEqual(['wait_for_trees', 'resolve_readers', 'resolve_tags']);
  expect(await namesFor({ telemetry: { battery: 50 } })).toEqual([
    'wait_for_trees',
    'resolve_readers',
    'resolve_tags',
    'store_telemetry',
  ]);
});

it('values of hours are deleted after 30 days', async () => {
  const org = await world.organization();
  const assetId = await tagged(org);
  const { tags } = await org.admin.assets.telemetry({ asset_id: assetId });
  const tagId = tags[0]?.tag_id ?? 0;
  const ago = (days: number) => new Date(Math.floor((Date.now() - days * 86_400_000) / 3_600_000) * 3_600_000);
  const [kept, old] = [ago(29), ago(31)];
  await world.db.tagTelemetryHour.createMany({
    data: [kept, old].map((hour) => ({ orgId: org.orgId, tagId, hour, battery: 50 })),
  });
  await removeOldTelemetry(world.db);
  expect((await hoursOf(org)).map(({ hour }) => hour)).toEqual([kept]);
});
