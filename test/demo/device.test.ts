import { expect, test } from 'vitest';
import { openAccount } from '../../demo/account.js';
import { createDayClock } from '../../demo/clock.js';
import { connectDevice, deviceOf, type Traffic } from '../../demo/device.js';
import { createRandom } from '../../demo/random.js';
import { readers } from '../../demo/readers.js';
import { createAssets, createLocations, createReader } from '../../demo/setup.js';
import type { Tag, Thing } from '../../demo/things.js';
import type { DeliveredRead } from '../../demo/truth.js';
import { createDemoService } from './demo-service.js';

/** One thing for each reader, which no other reader reads. */
const things: readonly Thing[] = readers.map(({ vendor }, i) => {
  const value =
    vendor.tagType === 'rfid' ? `30340000${String(i).padStart(16, '0')}` : `AC23${String(i).padStart(8, '0')}`;
  return { kind: 'cart', key: `CART-${i}`, name: `Cart ${i}`, tags: [{ type: vendor.tagType, value }] };
});

/** Ten real seconds before the day, far from any time of receipt. */
const readAtMs = -600_000;

test('the demo takes the time of a read as the service does', { timeout: 60_000 }, async () => {
  await using service = await createDemoService();
  const { world, context } = service;
  const { api, mqttUrl, signal } = context;
  const account = await openAccount(api, undefined, 1);
  const locations = await createLocations(api, account);
  const thingOfAsset = await createAssets(api, account, { things, onProgress: () => {} });
  const clock = createDayClock({ speed: 60, realNow: Date.now, signal });
  const traffic: Traffic = { messages: 0, reads: 0, duplicates: 0, broken: 0, heldReads: 0 };
  const delivered: DeliveredRead[] = [];
  const ledger = { held() {}, delivered: (read: DeliveredRead) => void delivered.push(read) };
  const latestRead = { take() {} };
  /** When the reads of each reader are received. */
  const receipts: { fromMs: number; untilMs: number }[] = [];
  await clock.reach(2000);

  for (const [index, reader] of readers.entries()) {
    const login = await createReader(api, account, {
      reader,
      locations,
      locationRule: undefined,
      device: deviceOf(reader, { username: '', index, speed: 60 }),
    });
    const device = await connectDevice({
      reader,
      mqttUrl,
      clock,
      ledger,
      latestRead,
      traffic,
      ...login,
      random: createRandom(1, reader.slug),
      tagOf: ({ thing }) => things[thing]?.tags[0] as Tag,
    });
    const [antenna] = reader.antennas;
    if (!antenna) throw new Error(`${reader.name} has no antenna`);
    const fromMs = Date.now();
    device.addReads([{ thing: index, tag: 0, reader: index, antenna, rssiDbm: -50, atMs: readAtMs, isStray: false }]);
    await device.heartbeat();
    await device.end();
    receipts.push({ fromMs, untilMs: Date.now() });
  }

  const positions = await world.db.assetPosition.findMany();
  const zoneOf = new Map((await world.db.location.findMany()).map(({ id, externalKey }) => [id, externalKey]));
  expect(positions).toHaveLength(readers.length);
  for (const { assetId, assetLastSeen, locationId } of positions) {
    const thing = thingOfAsset.get(assetId) ?? -1;
    const reader = readers[thing];
    const stampMs = delivered.find(({ read }) => read.thing === thing)?.stampMs ?? 0;
    const isReceipt =
      !reader?.vendor.tellsTime ||
      reader.usesReceiptTime ||
      ['ahead', 'since 1970'].includes(reader.clockFault?.kind ?? '');
    const { fromMs, untilMs } = receipts[thing] ?? { fromMs: 0, untilMs: 0 };
    const isReceived = (ms: number) => ms >= fromMs && ms <= untilMs;
    const agrees = isReceipt
      ? isReceived(stampMs) && isReceived(assetLastSeen.getTime())
      : stampMs === assetLastSeen.getTime();
    expect([reader?.name, zoneOf.get(locationId ?? 0)]).toEqual([reader?.name, reader?.antennas[0]?.zone]);
    expect([reader?.name, agrees]).toEqual([reader?.name, true]);
    if (reader?.clockFault?.kind === 'behind') expect(stampMs).toBe(clock.realAt(readAtMs - reader.clockFault.byMs));
  }
});
