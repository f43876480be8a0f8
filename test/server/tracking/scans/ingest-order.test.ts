import { beforeAll, describe, expect, it } from 'vitest';
import type { ReceivedMessage } from '../../../../server/tracking/scans/batch.js';
import { createRandom } from '../../../support/random.js';
import {
  sharedScanWorld,
  type ScanOrganization,
  type ScanWorld,
  type TestReader,
} from '../../../support/scan-world.js';
import { baseMs, createFixture, ingestInto, iso, message, read } from './tag-reads.js';

let world: ScanWorld;

beforeAll(async () => {
  world = await sharedScanWorld();
});

const ingest = (...messages: ReceivedMessage[]) => ingestInto(world, messages);

const setUp = (settings?: Parameters<typeof createFixture>[1]) => createFixture(world, settings);

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

describe('the deduplication window', () => {
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

  it('decides within a batch as it does across batches, in any order of arrival', async () => {
    const seconds = [120, 0, 60, 30, 90, 59.999, 119.999];
    const { org, reader } = await setUp({ resolution_seconds: 60 });
    const outcome = await ingest(
      message(
        { org, reader },
        seconds.map((second) => read({ observedAtMs: baseMs + second * 1000 })),
      ),
    );
    expect(await at(org)).toEqual([0, 60_000, 120_000]);
    expect(outcome).toMatchObject({ storedEvents: 3, deduplicatedReads: 4 });
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

  it('agrees with the rule applied read by read, for many random batches', async () => {
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

/** The rule of the deduplication window: compares each read of a batch, in the order of time, with the event before it. */
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
