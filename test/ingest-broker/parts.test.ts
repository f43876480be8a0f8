import { describe, expect, it } from 'vitest';
import {
  ignoreUnexpectedAcknowledgements,
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
import { createReaderLimits } from '../../ingest-broker/reader-limits.js';
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
    ignoreUnexpectedAcknowledgements(store);
    for (const id of ['served', 'other']) await store.outgoingClearMessageId({ id }, id);
    expect(cleared).toEqual(['served']);
    await store.outgoingUpdate({ id: 'other' }, { cmd: 'pubrel' });
    await expect(store.outgoingUpdate({ id: 'other' }, { cmd: 'publish' })).rejects.toThrow('no such packet');
  });
});

describe('QoS 2 messages that are not released', () => {
  it('are counted for all client ids of a reader, and for all readers of an organization', () => {
    const unreleased = createUnreleasedMessages(createReaderLimits({ readerMax: 3, organizationMax: 5 }));
    const [one, two, other] = [
      { readerId: 1, orgId: 1 },
      { readerId: 2, orgId: 1 },
      { readerId: 3, orgId: 2 },
    ];
    const isFull = () => [one, two, other].map(unreleased.isFull);
    for (const id of [1, 1, 2]) unreleased.add(one, 'a/1', id);
    expect(isFull()).toEqual([false, false, false]);
    unreleased.add(one, 'a/2', 1);
    expect(isFull()).toEqual([true, false, false]);
    unreleased.remove('a/1', 1);
    unreleased.remove('a/1', 1);
    expect([unreleased.has('a/1', 1), unreleased.has('a/1', 2)]).toEqual([false, true]);
    for (const id of [1, 2, 3]) unreleased.add(two, 'b/1', id);
    expect(isFull()).toEqual([true, true, false]);
    unreleased.clear('b/1');
    unreleased.clear('b/1');
    expect(isFull()).toEqual([false, false, false]);
    unreleased.add(one, 'a/1', 7);
    unreleased.clear('a/1');
    expect([unreleased.has('a/1', 2), unreleased.has('a/2', 1), ...isFull()]).toEqual([
      false,
      true,
      false,
      false,
      false,
    ]);
  });

  it('are rejected before they are stored when there are too many', async () => {
    const owner = { readerId: 1, orgId: 1 };
    const unreleased = createUnreleasedMessages(createReaderLimits({ readerMax: 1, organizationMax: 2 }));
    const persistence = {} as IncomingPersistence;
    keepIdentifiersAlone(persistence, unreleased, () => owner);
    const once = createExactlyOnce(() => persistence, unreleased);
    const stored: number[] = [];
    const take = (messageId: number) =>
      once({ client: { id: 'a/1' }, owner, sessionKey: 1, messageId }, () =>
        Promise.resolve(void stored.push(messageId)),
      );
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
    const unauthenticated = limitUnauthenticated({ connectionsMax: 2, timeoutMs: 1000, now: () => nowMs });
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
      timeoutMs: 1000,
      now: () => nowMs,
    });
    const come = (address?: string) => {
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
    expect([come('2001:db8:0:1::1'), come('::ffff:192.0.2.1')]).toEqual([true, false]);
    expect([come(), come(), come()]).toEqual([true, true, true]);
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

describe('sessions', () => {
  const owner = { readerId: 1, orgId: 1 };
  const other = { readerId: 2, orgId: 1 };

  function createStore() {
    const cleaned: string[] = [];
    const store = {
      addSubscriptions: () => Promise.resolve(),
      cleanSubscriptions: ({ id }: { id: string }) => Promise.resolve(void cleaned.push(id)),
      cleanIncoming: ({ id }: { id: string }) => Promise.resolve(void cleaned.push(id)),
    };
    return { store, cleaned };
  }

  it('are kept for the sixteen client ids of a reader that went last', () => {
    const { store, cleaned } = createStore();
    const sessions = createSessions(() => store);
    const visit = (clientId: string, reader = owner) => sessions.connect(reader, clientId, true).leave();
    for (let n = 0; n < 16; n += 1) visit(`a/${n}`);
    visit('b/0', other);
    const first = sessions.connect(owner, 'a/3', true);
    const takenOver = sessions.connect(owner, 'a/3', true);
    first.leave();
    visit('a/16');
    expect(cleaned).toEqual([]);
    takenOver.leave();
    expect(cleaned).toEqual(['a/0', 'a/0']);
    sessions.connect(owner, 'a/1', false).leave();
    visit('a/17');
    expect(cleaned).toEqual(['a/0', 'a/0']);
  });

  it('have the same filters on each connection, which count once', () => {
    const { store } = createStore();
    const limits = createReaderLimits({ readerMax: 20, organizationMax: 30 });
    const sessions = createSessions(() => store, limits);
    const begin = sessions.connect(owner, 'a', true);
    expect(['12345', '12345', '1234567890', '123456'].map(begin.filters.add)).toEqual([true, true, true, false]);
    const { filters } = sessions.connect(owner, 'a', true);
    begin.leave();
    expect([filters.has('12345'), filters.add('12345'), limits.mayAdd(owner, 6)]).toEqual([true, true, false]);
    const neighbor = sessions.connect(other, 'b', false);
    expect([neighbor.filters.add('x'.repeat(16)), neighbor.filters.add('x'.repeat(15))]).toEqual([false, true]);
    filters.delete('12345');
    filters.delete('12345');
    expect([limits.mayAdd(owner, 5), limits.mayAdd(owner, 6)]).toEqual([true, false]);
    neighbor.leave();
    expect([limits.mayAdd(owner, 10), limits.mayAdd(owner, 11)]).toEqual([true, false]);
  });

  it('that are kept count, with their client id, until they begin anew or are dropped', () => {
    const { store, cleaned } = createStore();
    const limits = createReaderLimits({ readerMax: 20, organizationMax: 100 });
    const sessions = createSessions(() => store, limits);
    const leave = (clientId: string, filter: string, isKept = true) => {
      const session = sessions.connect(owner, clientId, isKept);
      session.filters.add(filter);
      session.leave();
    };
    leave('one', '1234567');
    expect([limits.mayAdd(owner, 10), limits.mayAdd(owner, 11)]).toEqual([true, false]);
    leave('one', '1234567', false);
    expect(limits.mayAdd(owner, 20)).toBe(true);
    leave('one', '1234567');
    leave('two', '12345678');
    expect([cleaned, limits.mayAdd(owner, 9), limits.mayAdd(owner, 10)]).toEqual([['one', 'one'], true, false]);
    expect(limits.mayAdd(owner, 9)).toBe(true);
  });

  it('of a deleted reader are dropped, those of open connections when these end', () => {
    const { store, cleaned } = createStore();
    const limits = createReaderLimits({ readerMax: 20, organizationMax: 100 });
    const sessions = createSessions(() => store, limits);
    sessions.connect(owner, 'away', true).leave();
    const open = sessions.connect(owner, 'open', true);
    open.filters.add('a');
    sessions.connect(other, 'other', true).leave();
    sessions.forgetReader(owner.readerId);
    expect(cleaned).toEqual(['away', 'away']);
    open.leave();
    expect([cleaned, limits.mayAdd(owner, 20)]).toEqual([['away', 'away', 'open', 'open'], true]);
  });
});
