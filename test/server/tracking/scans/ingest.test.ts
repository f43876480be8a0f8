import { describe, expect, it } from 'vitest';
import type { ReceivedMessage } from '../../../../server/tracking/scans/batch.js';
import { sharedScanWorld } from '../../../support/scan-world.js';
import { baseMs, createFixture, epc, ingestInto, iso, message, read } from './tag-reads.js';

const world = await sharedScanWorld();

const ingest = (...messages: ReceivedMessage[]) => ingestInto(world, messages);

const setUp = (settings?: Parameters<typeof createFixture>[1]) => createFixture(world, settings);

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

  it('is unknown when the asset was deleted, and is the asset when it is inactive', async () => {
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

  it('is neither an event nor an unknown tag if it is a location’s own tag', async () => {
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
