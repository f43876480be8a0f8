import { describe, expect, it } from 'vitest';
import {
  bearStrayAnswers,
  keepGrantedFilters,
  type OutgoingStore,
  type SubscriptionStore,
} from '../../ingest-broker/aedes-internals.js';
import { createLogBudget } from '../../ingest-broker/log-budget.js';
import {
  createExactlyOnce,
  type IncomingPersistence,
  keepIdentifiersAlone,
  TooManyUnreleasedError,
} from '../../ingest-broker/qos2.js';
import { createSessions } from '../../ingest-broker/sessions.js';
import { limitUnauthenticated } from '../../ingest-broker/unauthenticated-connections.js';
import { matchesFilter } from '../../ingest-broker/topics.js';
import { createUnreleasedMessages } from '../../ingest-broker/unreleased-messages.js';

describe('a filter', () => {
  it.each([
    ['a/b', 'a/b', true],
    ['a/b', 'a/c', false],
    ['a/b', 'a', false],
    ['a', 'a/b', false],
    ['a/+', 'a/b', true],
    ['a/+', 'a/', true],
    ['a/+', 'a/b/c', false],
    ['+/+', '/a', true],
    ['+', '/a', false],
    ['a/#', 'a', true],
    ['a/#', 'a/b/c', true],
    ['a/#', 'ab', false],
    ['#', 'a/b', true],
    ['#', '$SYS/a', false],
    ['+/a', '$SYS/a', false],
    ['', '', true],
  ])('%j matches %j: %j', (filter, topic, expected) => {
    expect(matchesFilter(filter, topic)).toBe(expected);
  });
});

describe('where Aedes falls short', () => {
  it('of a SUBSCRIBE only what was granted is kept', async () => {
    const kept: string[] = [];
    const store: SubscriptionStore = {
      addSubscriptions: (_client, filters) => Promise.resolve(void kept.push(...filters.map(({ topic }) => topic))),
    };
    keepGrantedFilters(store, (client, filter) => (client.id === 'known' ? filter === 'granted' : undefined));
    const asked = ['granted', 'refused'].map((topic) => ({ topic, qos: 1 as const }));
    for (const id of ['known', 'unknown']) await store.addSubscriptions({ id }, asked);
    expect(kept).toEqual(['granted', 'granted', 'refused']);
  });

  it('nothing is set up for an acknowledgement that nobody waits for', async () => {
    const cleared: unknown[] = [];
    const store: OutgoingStore = {
      async *outgoingStream({ id }) {
        if (id === 'served') yield 'a message';
      },
      outgoingClearMessageId: (_client, packet) => Promise.resolve(void cleared.push(packet)),
      outgoingUpdate: () => Promise.reject(new Error('no such packet')),
    };
    bearStrayAnswers(store);
    for (const id of ['served', 'other']) await store.outgoingClearMessageId({ id }, id);
    expect(cleared).toEqual(['served']);
    await store.outgoingUpdate({ id: 'other' }, { cmd: 'pubrel' });
    await expect(store.outgoingUpdate({ id: 'other' }, { cmd: 'publish' })).rejects.toThrow('no such packet');
  });
});

describe('QoS 2 messages that are not released', () => {
  it('are counted for all client ids of a reader', () => {
    const unreleased = createUnreleasedMessages(3);
    for (const id of [1, 1, 2]) unreleased.add('a/1', id);
    expect(unreleased.isFull('a/2')).toBe(false);
    unreleased.add('a/2', 1);
    expect([unreleased.isFull('a/1'), unreleased.isFull('a/3'), unreleased.isFull('ab/1')]).toEqual([
      true,
      true,
      false,
    ]);
    unreleased.remove('a/1', 1);
    unreleased.remove('a/1', 1);
    expect([unreleased.has('a/1', 1), unreleased.has('a/1', 2), unreleased.isFull('a/1')]).toEqual([
      false,
      true,
      false,
    ]);
    unreleased.add('a/1', 7);
    unreleased.clear('a/1');
    expect([unreleased.has('a/1', 2), unreleased.has('a/2', 1), unreleased.isFull('a/1')]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('are refused before they are stored when there are too many', async () => {
    const unreleased = createUnreleasedMessages(1);
    const persistence = {} as IncomingPersistence;
    keepIdentifiersAlone(persistence, unreleased);
    const once = createExactlyOnce(() => persistence, unreleased);
    const stored: number[] = [];
    const take = (messageId: number) =>
      once({ client: { id: 'a/1' }, sessionKey: 'a/1', messageId }, () => Promise.resolve(void stored.push(messageId)));
    await take(1);
    await persistence.incomingStorePacket({ id: 'a/1' }, { messageId: 1 });
    await expect(take(2)).rejects.toBeInstanceOf(TooManyUnreleasedError);
    await take(1);
    await persistence.incomingDelPacket({ id: 'a/1' }, { messageId: 1 });
    await take(2);
    expect(stored).toEqual([1, 2]);
  });
});

describe('unauthenticated connections', () => {
  it('are limited in number; a new one replaces the oldest', () => {
    let nowMs = 0;
    const ended: string[] = [];
    const unauthenticated = limitUnauthenticated({ connectionsMax: 2, patienceMs: 1000, now: () => nowMs });
    const come = (name: string) => unauthenticated.admit(name, { destroy: () => ended.push(name) }, '192.0.2.1');
    expect([come('a'), come('b'), come('c')]).toEqual([true, true, false]);
    unauthenticated.forget('b');
    nowMs = 500;
    expect([come('d'), come('e')]).toEqual([true, false]);
    nowMs = 1000;
    expect([come('f'), come('g')]).toEqual([true, false]);
    expect(ended).toEqual(['a']);
  });
});

describe('unauthenticated connections of one network', () => {
  it('are so many at once, and make room for each other alone', () => {
    let nowMs = 0;
    const ended: string[] = [];
    const unauthenticated = limitUnauthenticated({
      perNetworkMax: 2,
      patienceMs: 1000,
      now: () => nowMs,
      trustedProxies: ['10.0.0.0/8'],
    });
    const come = (address: string) => {
      const name = `${address} ${nowMs++}`;
      return unauthenticated.admit(name, { destroy: () => ended.push(name) }, address);
    };
    expect([come('192.0.2.1'), come('192.0.2.1'), come('192.0.2.1'), come('192.0.2.2')]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect([come('2001:db8::1'), come('2001:db8::2'), come('2001:db8::3')]).toEqual([true, true, false]);
    expect([come('2001:db8:0:1::1'), come('::ffff:192.0.2.1')]).toEqual([true, true]);
    expect([come('10.0.0.1'), come('10.0.0.1'), come('10.0.0.1')]).toEqual([true, true, true]);
    nowMs = 1002;
    expect(come('192.0.2.1')).toBe(true);
    expect(ended).toEqual(['192.0.2.1 0']);
  });
});

describe('a log budget', () => {
  it('is for a second', () => {
    let nowMs = 0;
    const mayLog = createLogBudget(2, () => nowMs);
    expect([mayLog(), mayLog(), mayLog()]).toEqual([true, true, false]);
    nowMs = 1000;
    expect(mayLog()).toBe(true);
  });
});

describe('sessions of readers that are away', () => {
  it('are kept for the sixteen client ids of a user name that went last', () => {
    const cleaned: string[] = [];
    const store = {
      addSubscriptions: () => Promise.resolve(),
      cleanSubscriptions: ({ id }: { id: string }) => Promise.resolve(void cleaned.push(id)),
      cleanIncoming: ({ id }: { id: string }) => Promise.resolve(void cleaned.push(id)),
    };
    const sessions = createSessions(() => store);
    const visit = (username: string, clientId: string) => sessions.come(username, clientId)(true);
    for (let n = 0; n < 16; n += 1) visit('a', `a/${n}`);
    visit('b', 'b/0');
    const first = sessions.come('a', 'a/3');
    const takenOver = sessions.come('a', 'a/3');
    first(true);
    visit('a', 'a/16');
    expect(cleaned).toEqual([]);
    takenOver(true);
    expect(cleaned).toEqual(['a/0', 'a/0']);
    sessions.come('a', 'a/1')(false);
    visit('a', 'a/17');
    expect(cleaned).toEqual(['a/0', 'a/0']);
  });
});
