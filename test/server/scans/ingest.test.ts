import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReceivedMessage } from '../../../server/scans/batch.js';
import { ingestReads } from '../../../server/scans/ingest.js';
import type { TagRead } from '../../../server/scans/reader-message.js';
import { createRandom } from '../../support/random.js';
import { createScanWorld, type ScanOrganization, type ScanWorld, type TestReader } from '../../support/scan-world.js';

let world: ScanWorld;

beforeAll(async () => {
  world = await createScanWorld();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const epc = 'E2801190A503006543E21224';
/** A whole minute of yesterday, so that times read well. */
const baseMs = Math.floor((Date.now() - 86_400_000) / 60_000) * 60_000;

const iso = (ms: number) => new Date(ms).toISOString();

function read(given: Partial<TagRead> = {}): TagRead {
  return { tagType: 'rfid', value: epc, antenna: 1, rssiDbm: null, observedAtMs: baseMs, ...given };
}

type Sender = { org: ScanOrganization; reader: TestReader };

function message({ org, reader }: Sender, reads: TagRead[], receivedAtMs = Date.now()): ReceivedMessage {
  return {
    message: { orgId: org.orgId, readerId: reader.id, topic: reader.publish_topic, content: { kind: 'reads', reads } },
    receivedAtMs,
  };
}

function ingest(...messages: ReceivedMessage[]) {
  return ingestReads(world.connections, messages, { retentionDays: 365, waitForTrees: true });
}

async function setUp(settings: Parameters<ScanOrganization['reader']>[0] = {}) {
  const org = await world.organization();
  const location = await org.location();
  const asset = await org.asset({ tags: [['rfid', epc]] });
  const reader = await org.reader({ location_id: location, resolution_seconds: 0, ...settings });
  return { org, location, asset, reader };
}

describe('where a read is from', () => {
  it('is the antenna’s location, otherwise the reader’s, otherwise unknown', async () => {
    const { org, location, reader } = await setUp();
    const shelf = await org.location();
    await org.admin.readers.update({
      id: reader.id,
      antennas: [
        { port: 2, location_id: shelf },
        { port: 3, location_id: null },
      ],
    });
    const lost = await org.reader({ resolution_seconds: 0 });
    await ingest(
      message(
        { org, reader },
        [1, 2, 3].map((antenna) => read({ antenna, observedAtMs: baseMs + antenna })),
      ),
      message({ org, reader: lost }, [read({ observedAtMs: baseMs + 4 })]),
    );
    expect((await org.events()).map((event) => event.location_id)).toEqual([location, shelf, location, null]);
    expect(await org.positions()).toMatchObject([{ location_id: null, at: iso(baseMs + 4), reader_id: lost.id }]);
  });

  it('falls back where the antenna’s or the reader’s location is deleted', async () => {
    const { org, location, reader } = await setUp();
    const shelf = await org.location();
    await org.admin.readers.update({ id: reader.id, antennas: [{ port: 1, location_id: shelf }] });
    await ingest(message({ org, reader }, [read()]));
    await org.deleteLocation(shelf);
    await ingest(message({ org, reader }, [read({ observedAtMs: baseMs + 1 })]));
    await org.deleteLocation(location);
    await ingest(message({ org, reader }, [read({ observedAtMs: baseMs + 2 })]));
    expect((await org.events()).map((event) => event.location_id)).toEqual([shelf, location, null]);
  });
});

describe('what a value belongs to', () => {
  it('is the tag stored exactly so, otherwise the one of the same normal form', async () => {
    const { org, reader } = await setUp();
    const upper = await org.asset({ tags: [['rfid', 'AB12']] });
    const lower = await org.asset({ tags: [['rfid', 'ab12']] });
    const beacon = await org.asset({ tags: [['ble', 'ac:23:3f:a0:32:08']] });
    const outcome = await ingest(
      message({ org, reader }, [
        read({ value: 'ab12' }),
        read({ value: 'AB12' }),
        read({ value: epc.toLowerCase() }),
        read({ tagType: 'ble', value: 'AC233FA03208' }),
        read({ tagType: 'ble', value: epc }),
        read({ tagType: 'rfid', value: 'AC233FA03208' }),
      ]),
    );
    const seen = (await org.positions()).map((position) => position.asset_id);
    expect(seen).toHaveLength(4);
    expect(seen).toEqual(expect.arrayContaining([upper, lower, beacon]));
    expect(outcome).toMatchObject({ storedEvents: 4, unknownReads: 2 });
  });

  it('is separated by organization', async () => {
    const one = await setUp();
    const two = await setUp();
    await ingest(message(one, [read()]), message(two, [read({ observedAtMs: baseMs + 1 })]));
    expect(await one.org.events()).toMatchObject([{ asset_id: one.asset, location_id: one.location }]);
    expect(await two.org.events()).toMatchObject([{ asset_id: two.asset, location_id: two.location }]);
  });

  it('is nothing when the asset was deleted, and the asset again when it is merely inactive', async () => {
    const { org, asset, reader } = await setUp();
    const idle = await org.asset({ tags: [['rfid', 'IDLE']], isActive: false });
    await org.deleteAsset(asset);
    const outcome = await ingest(message({ org, reader }, [read(), read({ value: 'IDLE' })]));
    expect(outcome).toMatchObject({ storedEvents: 1, unknownReads: 1 });
    expect(await org.positions()).toMatchObject([{ asset_id: idle }]);
  });

  it('follows a tag that moves to another asset', async () => {
    const { org, asset, reader } = await setUp();
    await ingest(message({ org, reader }, [read()]));
    const other = await org.asset();
    await world.db.tag.updateMany({ where: { orgId: org.orgId, assetId: asset }, data: { assetId: other } });
    await ingest(message({ org, reader }, [read({ observedAtMs: baseMs + 1 })]));
    expect((await org.events()).map((event) => event.asset_id)).toEqual([asset, other]);
  });

  it('is neither event nor unknown when it is a location’s own tag', async () => {
    const { org, reader } = await setUp();
    await org.location({ tags: [['rfid', 'SHELF-1']] });
    const outcome = await ingest(message({ org, reader }, [read({ value: 'SHELF-1' })]));
    expect(outcome).toMatchObject({ storedEvents: 0, unknownReads: 0 });
    expect((await org.admin.scans.unknownTags()).total_count).toBe(0);
  });
});

describe('unknown tags', () => {
  it('are counted by reader and antenna, with the times they were seen', async () => {
    const { org, reader } = await setUp();
    const unknown = (antenna: number, plusMs: number) =>
      read({ value: 'NOBODY', antenna, observedAtMs: baseMs + plusMs });
    await ingest(message({ org, reader }, [unknown(1, 500), unknown(1, 900), unknown(2, 700)]));
    await ingest(message({ org, reader }, [unknown(1, 100)]));
    const { data, total_count } = await org.admin.scans.unknownTags();
    expect(total_count).toBe(2);
    expect(data).toEqual([
      {
        value: 'NOBODY',
        tag_type: 'rfid',
        reader_id: reader.id,
        antenna: 1,
        count: 3,
        first_seen: iso(baseMs + 100),
        last_seen: iso(baseMs + 900),
      },
      {
        value: 'NOBODY',
        tag_type: 'rfid',
        reader_id: reader.id,
        antenna: 2,
        count: 1,
        first_seen: iso(baseMs + 700),
        last_seen: iso(baseMs + 700),
      },
    ]);
    const asset = await org.asset({ tags: [['rfid', 'NOBODY']] });
    await ingest(message({ org, reader }, [unknown(1, 2000)]));
    expect(await org.events()).toMatchObject([{ asset_id: asset, at: iso(baseMs + 2000) }]);
  });
});

describe('strength', () => {
  it('drops reads below the antenna’s least, known and unknown alike, and keeps those without one', async () => {
    const { org, reader } = await setUp({ antennas: [{ port: 1, location_id: null, min_rssi_dbm: -60 }] });
    const outcome = await ingest(
      message({ org, reader }, [
        read({ rssiDbm: -61, observedAtMs: baseMs + 1 }),
        read({ rssiDbm: -60.5, value: 'NOBODY' }),
        read({ rssiDbm: -60, observedAtMs: baseMs + 2 }),
        read({ rssiDbm: null, observedAtMs: baseMs + 3 }),
        read({ rssiDbm: -99, antenna: 2, observedAtMs: baseMs + 4 }),
      ]),
    );
    expect(outcome).toMatchObject({ storedEvents: 3, weakReads: 2, unknownReads: 0 });
    expect((await org.events()).map((event) => event.rssi_dbm)).toEqual([-60, null, -99]);
  });
});

describe('time', () => {
  const receivedMs = baseMs + 3_600_000;
  const dayMs = 86_400_000;

  it('is the reader’s own, unless it is too far ahead, beyond the retention, or cannot be read', async () => {
    const { org, reader } = await setUp();
    const times = [receivedMs + 5000, receivedMs + 5001, receivedMs - 365 * dayMs, receivedMs - 365 * dayMs - 1, null];
    const assets = await Promise.all(times.map((_, index) => org.asset({ tags: [['rfid', `T${index}`]] })));
    const reads = times.map((observedAtMs, index) => read({ value: `T${index}`, observedAtMs }));
    await ingest(message({ org, reader }, reads, receivedMs));
    const positions = new Map((await org.positions()).map(({ asset_id, at }) => [asset_id, at]));
    expect(assets.map((asset) => positions.get(asset))).toEqual(
      [receivedMs + 5000, receivedMs, receivedMs - 365 * dayMs, receivedMs, receivedMs].map(iso),
    );
  });

  it('is the time of receipt for a reader that is set so', async () => {
    const { org, reader } = await setUp({ use_receipt_time: true });
    await ingest(message({ org, reader }, [read()], receivedMs));
    expect(await org.events()).toMatchObject([{ at: iso(receivedMs) }]);
  });
});

describe('order', () => {
  it('puts late reads in their place in history and never moves a position back', async () => {
    const { org, location, reader } = await setUp();
    const shelf = await org.location();
    const other = await org.reader({ location_id: shelf, resolution_seconds: 0 });
    await ingest(message({ org, reader }, [read({ observedAtMs: baseMs + 10 })]));
    await ingest(message({ org, reader: other }, [read({ observedAtMs: baseMs + 5 })]));
    expect((await org.events()).map(({ at, location_id }) => [at, location_id])).toEqual([
      [iso(baseMs + 5), shelf],
      [iso(baseMs + 10), location],
    ]);
    expect(await org.positions()).toMatchObject([{ at: iso(baseMs + 10), location_id: location }]);
  });

  it('takes the first of two reads in one millisecond, in one batch or two', async () => {
    const { org, location, reader } = await setUp({ resolution_seconds: 60 });
    const other = await org.reader({ location_id: await org.location(), resolution_seconds: 0 });
    await ingest(message({ org, reader }, [read()]), message({ org, reader: other }, [read()]));
    await ingest(message({ org, reader: other }, [read()]));
    expect(await org.events()).toMatchObject([{ location_id: location }]);
    expect(await org.positions()).toMatchObject([{ location_id: location, reader_id: reader.id }]);
  });

  it('changes nothing when a batch is stored again', async () => {
    const { org, reader } = await setUp({ resolution_seconds: 1 });
    const batch = message(
      { org, reader },
      [0, 700, 1500, 2600].map((plus) => read({ observedAtMs: baseMs + plus })),
    );
    await ingest(batch);
    const before = [await org.events(), await org.positions()];
    expect(await ingest(batch)).toMatchObject({ storedEvents: 0 });
    expect([await org.events(), await org.positions()]).toEqual(before);
  });
});

describe('resolution', () => {
  const at = async (org: ScanOrganization) => (await org.events()).map((event) => Date.parse(event.at) - baseMs);

  it('stores a parked asset once in so many seconds, and always moves when it was last seen', async () => {
    const { org, reader } = await setUp({ resolution_seconds: 60 });
    for (const seconds of [0, 30, 59.999, 60, 90, 119.999, 120]) {
      await ingest(message({ org, reader }, [read({ observedAtMs: baseMs + seconds * 1000 })]));
    }
    expect(await at(org)).toEqual([0, 60_000, 120_000]);
    await ingest(message({ org, reader }, [read({ observedAtMs: baseMs + 121_000 })]));
    expect(await org.positions()).toMatchObject([{ at: iso(baseMs + 121_000) }]);
  });

  it('decides within a batch as it does across batches, whatever the order of arrival', async () => {
    const seconds = [120, 0, 60, 30, 90, 59.999, 119.999];
    const { org, reader } = await setUp({ resolution_seconds: 60 });
    const outcome = await ingest(
      message(
        { org, reader },
        seconds.map((second) => read({ observedAtMs: baseMs + second * 1000 })),
      ),
    );
    expect(await at(org)).toEqual([0, 60_000, 120_000]);
    expect(outcome).toMatchObject({ storedEvents: 3, thinnedReads: 4 });
  });

  it('stores every change of location', async () => {
    const { org, location, reader } = await setUp({ resolution_seconds: 60 });
    const shelf = await org.location();
    const other = await org.reader({ location_id: shelf, resolution_seconds: 60 });
    const here = (plus: number) => message({ org, reader }, [read({ observedAtMs: baseMs + plus })]);
    const there = (plus: number) => message({ org, reader: other }, [read({ observedAtMs: baseMs + plus })]);
    await ingest(here(0), there(1000), there(2000), here(3000));
    await ingest(here(4000), there(5000));
    expect((await org.events()).map(({ location_id }) => location_id)).toEqual([location, shelf, location, shelf]);
    expect(await at(org)).toEqual([0, 1000, 3000, 5000]);
  });

  it('looks at the event next before a late read, not at the newest', async () => {
    const { org, reader } = await setUp({ resolution_seconds: 60 });
    const one = (plus: number) => ingest(message({ org, reader }, [read({ observedAtMs: baseMs + plus })]));
    await one(0);
    await one(600_000);
    await one(300_000);
    await one(330_000);
    await one(-10_000);
    expect(await at(org)).toEqual([-10_000, 0, 300_000, 600_000]);
  });

  it('sees stored events amid the reads of a batch', async () => {
    const { org, reader } = await setUp({ resolution_seconds: 60 });
    await ingest(message({ org, reader }, [read({ observedAtMs: baseMs + 50_000 })]));
    await ingest(
      message(
        { org, reader },
        [0, 40_000, 70_000, 115_000].map((plus) => read({ observedAtMs: baseMs + plus })),
      ),
    );
    expect(await at(org)).toEqual([0, 50_000, 115_000]);
  });

  it('does not look beyond the asset or the organization', async () => {
    const one = await setUp({ resolution_seconds: 60 });
    const two = await setUp({ resolution_seconds: 60 });
    const other = await one.org.asset({ tags: [['rfid', 'OTHER']] });
    await ingest(message(one, [read()]));
    await ingest(
      message(one, [read({ value: 'OTHER', observedAtMs: baseMs + 1 })]),
      message(two, [read({ observedAtMs: baseMs + 2 })]),
    );
    expect((await one.org.events()).map((event) => event.asset_id)).toEqual([one.asset, other]);
    expect(await two.org.events()).toHaveLength(1);
  });

  it('agrees with the rule told read by read, for many random batches', async () => {
    const random = createRandom(42).below;
    const { org, location, asset } = await setUp();
    const shelf = await org.location();
    const readers = await Promise.all(
      [
        { location_id: location, resolution_seconds: 10 },
        { location_id: shelf, resolution_seconds: 25 },
        { location_id: location, resolution_seconds: 0 },
      ].map((settings) => org.reader(settings)),
    );
    const model = createModel();
    for (let batch = 0; batch < 25; batch += 1) {
      const messages = Array.from({ length: 1 + random(6) }, () => {
        const reader = readers[random(readers.length)] as TestReader;
        const reads = Array.from({ length: 1 + random(4) }, () => read({ observedAtMs: baseMs + random(400) * 1000 }));
        return message({ org, reader }, reads);
      });
      model.store(messages, readers);
      await ingest(...messages);
    }
    const stored = (await org.events(asset)).map(({ at: instant, location_id }) => [Date.parse(instant), location_id]);
    expect(stored).toEqual(model.events());
  });
});

/** The resolution rule as it is written: each read of a batch in the order of time against the event next before it. */
function createModel() {
  const events = new Map<number, number | null>();
  return {
    store(messages: readonly ReceivedMessage[], readers: readonly TestReader[]): void {
      const reads = messages.flatMap(({ message: { readerId, content } }) =>
        (content.kind === 'reads' ? content.reads : []).map((tagRead) => ({
          atMs: tagRead.observedAtMs ?? 0,
          reader: readers.find(({ id }) => id === readerId) as TestReader,
        })),
      );
      for (const { atMs, reader } of reads.sort((a, b) => a.atMs - b.atMs)) {
        if (events.has(atMs)) continue;
        const before = Math.max(...[...events.keys()].filter((ms) => ms < atMs));
        const isFar = atMs - before >= reader.resolution_seconds * 1000;
        if (isFar || events.get(before) !== reader.location_id) events.set(atMs, reader.location_id);
      }
    },
    events: () => [...events].sort(([a], [b]) => a - b),
  };
}

describe('readers', () => {
  it('get a heartbeat, from messages with and without reads', async () => {
    const { org, reader } = await setUp();
    const quiet = await org.reader({ name: 'Quiet' });
    const status: ReceivedMessage = {
      message: { orgId: org.orgId, readerId: quiet.id, topic: 't', content: { kind: 'status' } },
      receivedAtMs: baseMs + 2000,
    };
    await ingest(message({ org, reader }, [read()], baseMs + 1000), status);
    const { data } = await org.admin.readers.list();
    expect(data.map(({ id, last_message_at }) => [id, last_message_at])).toEqual([
      [reader.id, iso(baseMs + 1000)],
      [quiet.id, iso(baseMs + 2000)],
    ]);
  });

  it('that are deleted store nothing, and are named', async () => {
    const { org, reader } = await setUp();
    const other = await setUp();
    await org.admin.readers.delete({ id: reader.id });
    const outcome = await ingest(message({ org, reader }, [read()]), message(other, [read()]));
    expect([...outcome.goneReaderIds]).toEqual([reader.id]);
    expect(await org.events()).toEqual([]);
    expect(await other.org.events()).toHaveLength(1);
  });

  it('cannot speak for another organization', async () => {
    const one = await setUp();
    const two = await setUp();
    const outcome = await ingest(message({ org: one.org, reader: two.reader }, [read()]));
    expect([...outcome.goneReaderIds]).toEqual([two.reader.id]);
    expect(await one.org.events()).toEqual([]);
  });
});

it('keeps what could not be understood, as it came', async () => {
  const { org, reader } = await setUp();
  const rejected = (payload: Uint8Array): ReceivedMessage => ({
    message: {
      orgId: org.orgId,
      readerId: reader.id,
      topic: 'a/b',
      content: { kind: 'rejected', reason: 'no sense', payload },
    },
    receivedAtMs: baseMs,
  });
  await ingest(rejected(Buffer.from('wörds')), rejected(Buffer.from([0xff, 0x00])));
  const { data, total_count } = await org.admin.scans.rejectedMessages();
  expect(total_count).toBe(2);
  const common = { reader_id: reader.id, topic: 'a/b', reason: 'no sense', received_at: iso(baseMs) };
  expect(data).toEqual([
    { ...common, id: expect.any(Number), payload: 'wörds', payload_encoding: 'text' },
    { ...common, id: expect.any(Number), payload: '/wA=', payload_encoding: 'base64' },
  ]);
});
