import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createListener, type ListenerOptions } from '../../../../server/tracking/live/listener.js';
import { createLog } from '../../../../server/kernel/log.js';
import { createFreezableProxy } from '../../../support/freezable-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.js';

const log = createLog('silent');
const timing = { cursorEveryMs: 40, silenceMaxMs: 3000, retryMinMs: 5, retryMaxMs: 50 };

let database: TestDatabase;
let announcer: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  announcer = new pg.Client({ connectionString: database.url });
  await announcer.connect();
});

afterAll(async () => {
  await announcer.end();
  await database[Symbol.asyncDispose]();
});

const announce = (payload: string) => announcer.query("SELECT pg_notify('whereabouts_positions', $1)", [payload]);

/** A listener whose calls are collected in one list; `received` waits until it contains a matching one. */
function listening(options: Partial<ListenerOptions> = {}) {
  const words: string[] = [];
  let wake = () => {};
  const collect = (word: string) => {
    words.push(word);
    wake();
  };
  const listener = createListener({
    url: database.url,
    log,
    timing,
    onCursor: (cursor) => collect(`cursor ${cursor}`),
    onAnnouncement: (payload) => collect(payload),
    onAlerts: (payload) => collect(`alerts ${payload}`),
    onLost: () => collect('lost'),
    ...options,
  });
  listener.open();
  return {
    words,
    async received(pattern: RegExp, { after = 0 } = {}): Promise<number> {
      for (;;) {
        const at = words.findIndex((word, index) => index >= after && pattern.test(word));
        if (at !== -1) return at + 1;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    [Symbol.dispose]: listener.close,
    listener,
  };
}

describe('the listener', () => {
  it('receives everything between the same cursors as every other listener', async () => {
    using one = listening();
    await one.received(/^cursor/);
    using two = listening({ timing: { ...timing, cursorEveryMs: 30 } });
    await two.received(/^cursor/);
    for (let n = 0; n < 100; n += 1) await announce(`1:${n}`);
    const end = await two.received(/^cursor/, { after: await two.received(/^1:99$/) });
    await one.received(new RegExp(`^${two.words[end - 1]}$`));
    const from = one.words.indexOf(two.words[0] ?? '');
    expect(from).toBeGreaterThanOrEqual(0);
    expect(one.words.slice(from, from + end)).toEqual(two.words.slice(0, end));
    expect(two.words.filter((word) => !word.startsWith('cursor')).length).toBe(100);
  });

  it('detects a silently dead connection, and opens another', async () => {
    const url = new URL(database.url);
    await using proxy = await createFreezableProxy({ host: url.hostname, port: Number(url.port) });
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    using one = listening({ url: url.href });
    await one.received(/^cursor/);
    proxy.freeze();
    const lost = await one.received(/^lost$/);
    await proxy.connections(2);
    const again = await one.received(/^cursor/, { after: lost });
    await announce('1:8');
    await one.received(/^1:8$/, { after: again });
    expect(one.words.filter((word) => word === 'lost')).toEqual(['lost']);
  });

  it('keeps trying while the database is unavailable, and stops when it is closed', async () => {
    const url = new URL(database.url);
    await using proxy = await createFreezableProxy({ host: url.hostname, port: Number(url.port) });
    url.pathname = '/not_there';
    url.port = String(proxy.port);
    const one = listening({ url: url.href });
    await proxy.connections(4);
    one.listener.close();
    const count = one.words.length;
    await announce('1:9');
    expect(one.words.length).toBe(count);
    expect(one.words.every((word) => word === 'lost')).toBe(true);
  });
});
