import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../../../server/kernel/log.js';
import { createLoginNotes } from '../../../../server/tracking/readers/login-notes.js';
import { writeConnected, writeRefusals } from '../../../../server/tracking/readers/login-notes.js';
import { createScanWorld } from '../../../support/scan-world.js';
import { useFakeTimers } from '../../../support/shared.js';

beforeEach(() => {
  useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Notes whose statements are counted instead of sent. */
function setUp() {
  const state = { isUnavailable: false, statements: [] as unknown[][] };
  const db = {
    $queryRaw: () => Promise.reject(new Error('nothing is read')),
    async $executeRaw(_: TemplateStringsArray, ...values: unknown[]) {
      if (state.isUnavailable) throw new Error('the database is unavailable');
      state.statements.push(values.filter((value) => Array.isArray(value)));
      return 1;
    },
  };
  const notes = createLoginNotes({ db, log: createLog('silent'), elapsedMs: () => Date.now() });
  return { state, notes };
}

describe('refusals', () => {
  it('of a name are written once in ten seconds, however many there are, and the latest is not lost', async () => {
    const { state, notes } = setUp();
    for (let n = 0; n < 500; n += 1) {
      notes.noteRefusal('a', `reason ${n}`);
      notes.noteRefusal('b', 'other');
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(state.statements.map(([names]) => names)).toEqual([['a', 'b']]);
    await vi.advanceTimersByTimeAsync(11_000);
    const [, second] = state.statements;
    expect(second?.slice(0, 2)).toEqual([
      ['a', 'b'],
      ['reason 499', 'other'],
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(state.statements.length).toBe(2);
  });

  it('of invented names take no more than a bounded memory, and few statements', async () => {
    const { state, notes } = setUp();
    for (let n = 0; n < 50_000; n += 1) notes.noteRefusal(`name ${n}`, 'x');
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.statements.length).toBe(10);
    expect(state.statements.flatMap(([names]) => names)).toHaveLength(10_000);
    await vi.advanceTimersByTimeAsync(60_000);
    notes.noteRefusal('a reader', 'x');
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.statements.at(-1)?.[0]).toEqual(['a reader']);
  });

  it('wait while the database is unavailable, and are written when the service stops', async () => {
    const { state, notes } = setUp();
    state.isUnavailable = true;
    notes.noteRefusal('a', 'x');
    notes.noteConnected([1, 2]);
    await vi.advanceTimersByTimeAsync(20_000);
    state.isUnavailable = false;
    await notes.stop();
    expect(state.statements.map(([names]) => names)).toEqual([[1, 2], ['a']]);
  });
});

describe('what is written', () => {
  it('is of live readers alone, and changes nothing that would end a connection', async () => {
    vi.useRealTimers();
    await using world = await createScanWorld();
    const { db, core } = world;
    const org = await world.organization();
    const [reader, deleted] = [await org.reader(), await org.reader()];
    await org.admin.readers.delete({ id: deleted.id });
    const names = [reader.mqtt_username, deleted.mqtt_username, 'nobody'];
    const refuse = (reason: string, agoMs: number) =>
      writeRefusals(
        db,
        names.map((username) => ({ username, reason, agoMs })),
      );
    const seen = async () => (await org.admin.readers.list()).data[0];
    await refuse('first', 2000);
    const first = await seen();
    expect(first).toMatchObject({ last_refusal_reason: 'first', updated_at: reader.updated_at });
    // Another process has seen the same.
    await refuse('first', 0);
    expect(await seen()).toEqual(first);
    await refuse('second', 0);
    expect(await seen()).toMatchObject({ last_refusal_reason: 'second' });
    await refuse('an older one', 60_000);
    expect(await seen()).toMatchObject({ last_refusal_reason: 'second' });
    await writeConnected(db, [reader.id, deleted.id, 2_147_483_647]);
    expect((await seen())?.last_connected_at).not.toBeNull();
    const { cursor } = await core.readers.changesSince(undefined);
    expect(cursor).toBeGreaterThan(0);
    const [row] = await db.$queryRaw<unknown[]>`SELECT last_refused_at AS at FROM readers WHERE id = ${deleted.id}`;
    expect(row).toEqual({ at: null });
  });
});
