import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../../../server/kernel/log.js';
import { removeOldCounts } from '../../../../server/tracking/readers/read-counters.js';
import { createReadCounters } from '../../../../server/tracking/readers/read-counters.js';
import type { MessageContent, TagRead } from '../../../../server/tracking/scans/reader-message.js';
import { createScanWorld } from '../../../support/scan-world.js';
import { useFakeTimers } from '../../../support/shared.js';

const minuteMs = 60_000;
const slotMs = 10 * minuteMs;
const log = createLog('silent');

afterEach(() => {
  vi.useRealTimers();
});

const reads = (count: number): MessageContent => ({
  kind: 'reads',
  reads: Array.from({ length: count }, (_, n): TagRead => {
    return { tagType: 'rfid', value: `E2${n}`, antenna: 1, rssiDbm: null, observedAtMs: null };
  }),
});

const rejected: MessageContent = { kind: 'rejected', reason: 'r', payload: new Uint8Array() };

function received(orgId: number, readerId: number, [content, atMs]: [MessageContent, number]) {
  return { message: { orgId, readerId, topic: 't', content }, receivedAtMs: atMs };
}

/** Counters whose statements are counted instead of sent. */
function setUp() {
  useFakeTimers();
  const state = { isUnavailable: false, statements: [] as string[][] };
  const db = {
    $queryRaw: () => Promise.reject(new Error('nothing is read')),
    async $executeRaw(_: TemplateStringsArray, ...values: unknown[]) {
      if (state.isUnavailable) throw new Error('the database is unavailable');
      state.statements.push(values.map(String));
      return 1;
    },
  };
  return { state, counters: createReadCounters({ db, log, now: () => Date.now() }) };
}

describe('counts', () => {
  it('of two seconds go into one statement, for any reads', async () => {
    const { state, counters } = setUp();
    const atMs = 600 * minuteMs;
    for (let n = 0; n < 5000; n += 1) counters.stored(received(1, 7, [reads(3), atMs + n]));
    counters.stored(received(2, 8, [rejected, atMs]), 4);
    await vi.advanceTimersByTimeAsync(2500);
    const columns = [['{1,2}', '{7,8}', `{${atMs},${atMs}}`, '{5000,1}', '{15000,0}', '{0,1}', '{0,4}']];
    expect(state.statements).toEqual(columns);
    await vi.advanceTimersByTimeAsync(minuteMs);
    expect(state.statements).toHaveLength(1);
  });

  it('wait while the database is unavailable, and are written when the service stops', async () => {
    const { state, counters } = setUp();
    state.isUnavailable = true;
    counters.stored(received(1, 7, [reads(3), 0]), 7);
    await vi.advanceTimersByTimeAsync(20_000);
    counters.stored(received(1, 7, [reads(2), 1000]));
    state.isUnavailable = false;
    await counters.stop();
    expect(state.statements).toEqual([['{1}', '{7}', '{0}', '{2}', '{5}', '{0}', '{7}']]);
  });

  it('of more readers than there are take a bounded memory', async () => {
    const { state, counters } = setUp();
    for (let n = 1; n <= 120_000; n += 1) counters.stored(received(1, n, [reads(1), 0]));
    await counters.stop();
    expect(state.statements).toHaveLength(50);
  });
});

describe('what is stored', () => {
  it('adds up over several processes, and is each organization’s own', async () => {
    await using world = await createScanWorld();
    const [one, two] = [await world.organization(), await world.organization()];
    const [door, gate] = [await one.reader(), await two.reader()];
    const beginMs = Math.floor(Date.now() / slotMs) * slotMs;
    const processes = [createReadCounters({ db: world.db, log }), createReadCounters({ db: world.db, log })];
    for (const counters of processes) {
      counters.stored(received(one.orgId, door.id, [reads(2), beginMs + 59_999]));
      counters.stored(received(one.orgId, door.id, [rejected, beginMs + 60_000]));
      counters.stored(received(two.orgId, gate.id, [reads(5), beginMs]), 1);
    }
    await Promise.all(processes.map((counters) => counters.stop()));
    for (const counters of processes) counters.stored(received(one.orgId, door.id, [reads(1), beginMs]));
    await Promise.all(processes.map((counters) => counters.stop()));

    const minutes = await world.db.readerMinute.findMany({ orderBy: [{ orgId: 'asc' }, { minute: 'asc' }] });
    const minute = new Date(beginMs);
    expect(minutes).toEqual([
      { orgId: one.orgId, readerId: door.id, minute, messages: 4, reads: 6, rejected: 0, ignored: 0 },
      {
        orgId: one.orgId,
        readerId: door.id,
        minute: new Date(beginMs + minuteMs),
        messages: 2,
        reads: 0,
        rejected: 2,
        ignored: 0,
      },
      { orgId: two.orgId, readerId: gate.id, minute, messages: 2, reads: 10, rejected: 0, ignored: 2 },
    ]);
    const counts = await world.db.readCount.findMany({ orderBy: { orgId: 'asc' } });
    expect(counts).toEqual([
      { orgId: one.orgId, slot: minute, reads: 6n },
      { orgId: two.orgId, slot: minute, reads: 10n },
    ]);
  });

  it('comes from readers and from handhelds, a submission once however often it is sent', async () => {
    await using world = await createScanWorld();
    const org = await world.organization();
    const location = await org.location();
    const reader = await org.reader();
    const submission = {
      submission_id: '01J00000000000000000000000',
      location_id: location,
      reads: [{ value: 'A' }, { value: 'B' }],
    };
    await org.admin.scans.submit(submission);
    await org.admin.scans.submit(submission);
    await world.core.ingestion.ingest({ orgId: org.orgId, readerId: reader.id, topic: 't', content: reads(3) });
    await world.core.ingestion.ingest({
      orgId: org.orgId,
      readerId: reader.id,
      topic: 't',
      content: { kind: 'status' },
    });
    await org.admin.readers.delete({ id: reader.id });
    const gone = world.core.ingestion.ingest({ orgId: org.orgId, readerId: reader.id, topic: 't', content: reads(3) });
    await expect(gone).rejects.toThrow('deleted');
    await world.core.stop();
    // The second message may have come in the next minute.
    const minutes = await world.db.readerMinute.findMany();
    const sumOf = (count: 'messages' | 'reads' | 'rejected') => minutes.reduce((sum, row) => sum + row[count], 0);
    expect([sumOf('messages'), sumOf('reads'), sumOf('rejected')]).toEqual([2, 3, 0]);
    for (const row of minutes) expect(row).toMatchObject({ orgId: org.orgId, readerId: reader.id });
    const total = (await world.db.readCount.findMany()).reduce((sum, { reads: count }) => sum + count, 0n);
    expect(total).toBe(5n);
  });

  it('is kept for two days of readers and thirty of organizations', async () => {
    await using world = await createScanWorld();
    const { orgId } = await world.organization();
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    for (const days of [1, 3]) {
      const counts = { messages: 1, reads: 1, rejected: 0 };
      await world.db.readerMinute.create({ data: { orgId, readerId: 1, minute: daysAgo(days), ...counts } });
    }
    for (const days of [29, 31]) await world.db.readCount.create({ data: { orgId, slot: daysAgo(days), reads: 1n } });
    await removeOldCounts(world.db);
    expect(await world.db.readerMinute.count()).toBe(1);
    expect(await world.db.readCount.count()).toBe(1);
  });
});
