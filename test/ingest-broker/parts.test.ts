import { describe, expect, it } from 'vitest';
import { ignoreUnexpectedAcknowledgements, type OutgoingStore } from '../../ingest-broker/aedes-internals.js';
import { createLogBudget } from '../../ingest-broker/log-budget.js';
import { createExactlyOnce, TooManyUnreleasedError } from '../../ingest-broker/qos2.js';
import { createReaderLimits } from '../../ingest-broker/reader-limits.js';
import { limitUnauthenticated } from '../../ingest-broker/unauthenticated-connections.js';
import { matchesFilter } from '../../ingest-broker/topics.js';

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
  it('are rejected before they are stored when a reader has too many on all its connections', async () => {
    const { begin, end, once, persistence } = createExactlyOnce(
      createReaderLimits({ readerMax: 2, organizationMax: 3 }),
    );
    const stored: string[] = [];
    const connections: Record<string, object> = {};
    for (const [name, readerId] of Object.entries({ one: 1, two: 1, neighbor: 2, other: 3 })) {
      const client = {};
      connections[name] = client;
      begin(client, { readerId, orgId: readerId === 3 ? 2 : 1 });
    }
    const take = async (name: string, messageId: number) => {
      const client = connections[name] ?? {};
      await once(client, messageId, () => Promise.resolve(void stored.push(`${name} ${messageId}`)));
      await persistence.incomingStorePacket(client, { messageId });
    };
    await take('one', 1);
    await take('two', 1);
    await expect(take('one', 2)).rejects.toBeInstanceOf(TooManyUnreleasedError);
    await take('one', 1);
    await take('neighbor', 1);
    await expect(take('neighbor', 2)).rejects.toBeInstanceOf(TooManyUnreleasedError);
    await take('other', 1);
    await persistence.incomingDelPacket(connections['one'] ?? {}, { messageId: 1 });
    await take('one', 1);
    end(connections['two'] ?? {});
    await take('one', 2);
    expect(stored).toEqual(['one 1', 'two 1', 'neighbor 1', 'other 1', 'one 1', 'one 2']);
    await expect(take('two', 2)).rejects.toThrow('gone');
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
  it('are limited, and replace only connections of the same network', () => {
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
