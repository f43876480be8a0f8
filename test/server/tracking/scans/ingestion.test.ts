import { describe, expect, it } from 'vitest';
import type { TransactionClient } from '../../../../server/kernel/database/client.js';
import { lockStatement } from '../../../../server/kernel/database/locks.js';
import { createIngestion } from '../../../../server/tracking/scans/ingestion.js';
import { IngestionStoppedError, ReaderGoneError } from '../../../../server/tracking/scans/ingestion-errors.js';
import type { MessageContent, ReaderMessage, TagRead } from '../../../../server/tracking/scans/reader-message.js';
import { pollOptions } from '../../../support/poll-options.js';
import { fileWorld } from '../../../support/shared.js';
import { createScanWorld, type ScanOrganization, type TestReader } from '../../../support/scan-world.js';

const world = fileWorld(createScanWorld);

const epc = 'E2801190A503006543E21224';

function read(given: Partial<TagRead> = {}): TagRead {
  return { tagType: 'rfid', value: epc, antenna: 1, rssiDbm: null, observedAtMs: null, ...given };
}

type Sender = { org: ScanOrganization; reader: TestReader };

function message({ org, reader }: Sender, content: MessageContent | TagRead[]): ReaderMessage {
  const held: MessageContent = Array.isArray(content) ? { kind: 'reads', reads: content } : content;
  return { orgId: org.orgId, readerId: reader.id, topic: 'reads', content: held };
}

async function setUp() {
  const org = await world.organization();
  const location = await org.location();
  const asset = await org.asset({ tags: [['rfid', epc]] });
  const reader = await org.reader({ location_id: location, resolution_seconds: 0 });
  return { org, location, asset, reader };
}

/** Runs while another transaction holds an organization's tree. */
async function holdingTree<Result>(orgId: number, work: (tx: TransactionClient) => Promise<Result>): Promise<Result> {
  return world.db.$transaction(async (tx) => {
    await tx.$queryRaw(lockStatement('tree', orgId));
    return work(tx);
  });
}

/** The process of the database that waits for an organization's tree, once there is one. */
async function waitingFor(orgId: number): Promise<number> {
  for (;;) {
    const rows = await world.db.$queryRaw<{ pid: number }[]>`
      SELECT pid
        FROM pg_locks
       WHERE locktype = 'advisory' AND NOT granted AND objid = ${orgId}
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    if (rows[0]) return rows[0].pid;
  }
}

/** How many batches wait for rows that others have locked. */
async function waitingBatches(): Promise<number> {
  const rows = await world.db.$queryRaw<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'whereabouts ingestion' AND wait_event_type = 'Lock'`;
  return rows.length;
}

const settled = (promise: Promise<void>) =>
  promise.then(
    () => 'stored',
    (error: Error) => error.name,
  );

describe('a reader whose row is locked', () => {
  it('gets the heartbeat of its only message once the row is free, and the message does not wait', async () => {
    const { org, reader } = await setUp();
    const shown = async () => (await org.admin.readers.get({ id: reader.id })).last_message_at;
    await world.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM readers WHERE id = ${reader.id}::int FOR NO KEY UPDATE`;
      await world.core.ingestion.ingest(message({ org, reader }, { kind: 'status' }));
      expect(await shown()).toBeNull();
    });
    await expect.poll(shown, pollOptions).not.toBeNull();
  });
});

describe('an organization whose tree is being changed', () => {
  it('delays only its own messages', async () => {
    const one = await setUp();
    const two = await setUp();
    let isStored = false;
    const held = await holdingTree(one.org.orgId, async () => {
      const waiting = world.core.ingestion.ingest(message(one, [read()])).then(() => {
        isStored = true;
      });
      await world.core.ingestion.ingest(message(two, [read()]));
      await waitingFor(one.org.orgId);
      await world.core.ingestion.ingest(message(two, [read()]));
      expect(isStored).toBe(false);
      expect(await one.org.events()).toEqual([]);
      return { waiting };
    });
    await held.waiting;
    expect(await one.org.events()).toHaveLength(1);
    expect(await two.org.positions()).toHaveLength(1);
  });

  it('delays no other messages, even if it has more messages than connections', async () => {
    const [one, two, three, free] = [await setUp(), await setUp(), await setUp(), await setUp()];
    const busy = [one, two, three];
    const held = await world.db.$transaction(async (tx) => {
      for (const { org } of busy) await tx.$queryRaw(lockStatement('tree', org.orgId));
      const waiting = Promise.all(busy.map((each) => world.core.ingestion.ingest(message(each, [read()]))));
      await Promise.all([waitingFor(one.org.orgId), waitingFor(two.org.orgId)]);
      for (let no = 0; no < 3; no += 1) await world.core.ingestion.ingest(message(free, [read()]));
      return { waiting };
    });
    await held.waiting;
    for (const { org } of busy) expect(await org.events()).toHaveLength(1);
  });

  it('has them stored in their order afterwards', async () => {
    const one = await setUp();
    const order: number[] = [];
    const all = await holdingTree(one.org.orgId, async () => {
      const waiting = [0, 1, 2].map((n) =>
        world.core.ingestion.ingest(message(one, [read()])).then(() => void order.push(n)),
      );
      await waitingFor(one.org.orgId);
      waiting.push(world.core.ingestion.ingest(message(one, [read()])).then(() => void order.push(3)));
      return { done: Promise.all(waiting) };
    });
    await all.done;
    expect(order).toEqual([0, 1, 2, 3]);
  });
});

it('is placed before its location is deleted, or falls back after it, when both come at once', async () => {
  for (let round = 0; round < 12; round += 1) {
    const one = await setUp();
    const both = await holdingTree(one.org.orgId, async () => {
      const races = [
        () => world.core.ingestion.ingest(message(one, [read()])).then(() => 'stored'),
        () =>
          one.org.admin.locations.delete({ location_id: one.location }).then(
            () => 'deleted',
            () => 'kept',
          ),
      ];
      return { outcomes: Promise.all((round % 2 === 0 ? races : races.toReversed()).map((race) => race())) };
    });
    const isKept = (await both.outcomes).includes('kept');
    expect(await one.org.positions()).toMatchObject([{ location_id: isKept ? one.location : null }]);
  }
});

it('stores the next messages while a batch is committed, and acknowledges a reader’s messages in their order', async () => {
  const { org, reader, asset } = await setUp();
  const unknown = read({ value: 'E280000000000000000000AA' });
  await world.core.ingestion.ingest(message({ org, reader }, [unknown]));
  const acknowledged: string[] = [];
  const send = (name: string, reads: TagRead[]) =>
    world.core.ingestion.ingest(message({ org, reader }, reads)).then(() => acknowledged.push(name));
  const held = await world.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM unknown_tags WHERE org_id = ${org.orgId}::int FOR UPDATE`;
    const first = send('first', [unknown]);
    await expect.poll(waitingBatches, pollOptions).toBe(1);
    const second = send(
      'second',
      Array.from({ length: 500 }, () => read()),
    );
    await expect.poll(async () => (await org.positions()).map((row) => row.asset_id), pollOptions).toEqual([asset]);
    expect(acknowledged).toEqual([]);
    return { all: Promise.all([first, second]) };
  });
  await held.all;
  expect(acknowledged).toEqual(['first', 'second']);
});

it('stores a batch again whose connection was cut, and every read once', async () => {
  const one = await setUp();
  const observedAtMs = Date.now();
  const held = await holdingTree(one.org.orgId, async () => {
    const waiting = world.core.ingestion.ingest(message(one, [read({ observedAtMs })]));
    const pid = await waitingFor(one.org.orgId);
    await world.db.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
    while ((await waitingFor(one.org.orgId)) === pid);
    return { waiting };
  });
  await held.waiting;
  expect(await one.org.events()).toMatchObject([{ at: new Date(observedAtMs).toISOString() }]);
});

it('stores the other messages of a batch, and keeps the one that cannot be stored as rejected', async () => {
  await world.db.$executeRaw`ALTER TABLE scan_events ADD CONSTRAINT poison CHECK (rssi_dbm <> -77)`;
  const one = await setUp();
  const two = await setUp();
  const messages = Array.from({ length: 9 }, (_, index) => {
    const reads = [read({ rssiDbm: index === 4 ? -77 : -50, observedAtMs: Date.now() - index })];
    return message(index % 2 === 0 ? one : two, reads);
  });
  await Promise.all(messages.map((each) => world.core.ingestion.ingest(each)));
  await world.db.$executeRaw`ALTER TABLE scan_events DROP CONSTRAINT poison`;
  expect(await one.org.events()).toHaveLength(4);
  expect(await two.org.events()).toHaveLength(4);
  const { data } = await one.org.admin.scans.rejectedMessages();
  expect(data).toMatchObject([{ reader_id: one.reader.id, reason: 'its reads could not be stored' }]);
  expect(JSON.parse(data[0]?.payload ?? '')).toMatchObject([{ value: epc, rssiDbm: -77 }]);
});

it('leaves out values that no column can hold, and stores the rest of the message', async () => {
  const one = await setUp();
  const odd = ['\0', 'a\0b', '\u{d800}', '', 'x'.repeat(256), '\u{7f}'].map((value) => read({ value }));
  const reads = [...odd, read({ antenna: -1 }), read({ antenna: 1.5 }), read({ rssiDbm: Number.NaN })];
  await world.core.ingestion.ingest(message(one, reads));
  await world.core.ingestion.ingest(
    message(one, { kind: 'rejected', reason: 'why\0\u{d800}', payload: Buffer.alloc(100_000, 'é') }),
  );
  expect(await one.org.events()).toHaveLength(1);
  expect((await one.org.admin.scans.unknownTags()).total_count).toBe(0);
  const { data } = await one.org.admin.scans.rejectedMessages();
  expect(data[0]?.reason).toBe('why\u{fffd}\u{fffd}');
  expect(data[0]?.payload).toBe('é'.repeat(32_768));
});

it('makes the partition of a month that has none', async () => {
  const one = await setUp();
  const observedAtMs = Date.now() - 100 * 86_400_000;
  const month = new Date(observedAtMs).toISOString().slice(0, 7).replace('-', '_');
  await world.db.$executeRawUnsafe(`DROP TABLE scan_events_${month}`);
  await world.core.ingestion.ingest(message(one, [read({ observedAtMs })]));
  expect(await one.org.events()).toMatchObject([{ at: new Date(observedAtMs).toISOString() }]);
});

it('rejects the messages of a reader that was deleted meanwhile', async () => {
  const one = await setUp();
  await one.org.admin.readers.delete({ id: one.reader.id });
  await expect(world.core.ingestion.ingest(message(one, [read()]))).rejects.toBeInstanceOf(ReaderGoneError);
});

it('gathers what comes at once into few batches', async () => {
  const one = await setUp();
  const two = await setUp();
  const before = world.core.ingestion.stats();
  const messages = Array.from({ length: 400 }, (_, n) =>
    message(n % 2 === 0 ? one : two, [read({ observedAtMs: Date.now() - n })]),
  );
  await Promise.all(messages.map((each) => world.core.ingestion.ingest(each)));
  const after = world.core.ingestion.stats();
  expect(after.batches - before.batches).toBeLessThan(10);
  expect(after.events - before.events).toBe(400);
  expect(after.messages - before.messages).toBe(400);
  expect(after.waitingMessages).toBe(0);
});

describe('stopping', () => {
  it('stores what waits and takes in no more', async () => {
    const one = await setUp();
    const ingestion = createIngestion(world);
    const nowMs = Date.now();
    const taken = [1, 2, 3].map((n) => ingestion.ingest(message(one, [read({ observedAtMs: nowMs - n })])));
    const stopped = ingestion.stop(30_000);
    await expect(ingestion.ingest(message(one, [read()]))).rejects.toBeInstanceOf(IngestionStoppedError);
    await Promise.all([...taken, stopped]);
    expect(await one.org.events()).toHaveLength(3);
  });

  it('rejects what cannot be stored in time', async () => {
    const one = await setUp();
    const ingestion = createIngestion(world);
    const outcome = await holdingTree(one.org.orgId, async (tx) => {
      const waiting = settled(ingestion.ingest(message(one, [read()])));
      const pid = await waitingFor(one.org.orgId);
      await ingestion.stop(0);
      await tx.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
      return waiting;
    });
    expect(outcome).toBe('IngestionStoppedError');
    expect(await one.org.events()).toEqual([]);
  });
});
