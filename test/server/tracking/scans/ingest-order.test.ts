import { describe, expect, it } from 'vitest';
import type { ReceivedMessage } from '../../../../server/tracking/scans/batch.js';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';
import { baseMs, createFixture, ingestInto, iso, message, read } from './tag-reads.js';

const world = await sharedScanWorld();

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

  it('stores an event of a parked asset once in a window, and always advances when it was last seen', async () => {
    const { org, reader } = await setUp({ resolution_seconds: 60 });
    for (const seconds of [0, 30, 59.999, 60, 90, 119.999, 120]) {
      await ingest(message({ org, reader }, [read({ observedAtMs: baseMs + seconds * 1000 })]));
    }
    expect(await at(org)).toEqual([0, 60_000, 120_000]);
    await ingest(message({ org, reader }, [read({ observedAtMs: baseMs + 121_000 })]));
    expect(await org.positions()).toMatchObject([{ at: iso(baseMs + 121_000) }]);
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
});
