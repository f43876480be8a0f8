import { describe, expect, it } from 'vitest';
import { createFlow, type Flow } from '../../ingest-broker/flow.js';

const kib = 1024;

/** A connection that takes its 1 KiB messages in as fast as it may. */
function connect(flow: Flow) {
  const messages = flow.connect(read);
  let sent = 0;
  let taken = 0;
  let settled = 0;
  function read(): void {
    while (taken < sent && messages.hasCapacity()) {
      taken += 1;
      messages.take(kib);
    }
  }
  return {
    send(count: number) {
      sent += count;
      read();
    },
    join: (readerId: number, orgId = 1) => messages.join({ readerId, orgId }),
    leave: () => messages.leave(),
    isFull: () => messages.isFull(),
    read: (bytes: number) => messages.read({ bytes, packets: 1, isMoreThere: false }),
    taken: () => taken,
    /** Settles a message, if there is one. */
    settle() {
      if (settled === taken) return;
      settled += 1;
      messages.settle(kib);
    },
  };
}

describe('the flow of messages', () => {
  it('stops at the bound of all, and lets each connection go on by turns', async () => {
    const flow = createFlow({ totalBytes: 10 * (kib + 512) });
    const [one, two] = [connect(flow), connect(flow)];
    one.send(20);
    two.send(3);
    // A connection with nothing under way is read all the same.
    expect([one.taken(), two.taken()]).toEqual([10, 1]);
    expect([one.isFull(), two.isFull()]).toEqual([true, true]);
    for (let n = 0; n < 4; n += 1) one.settle();
    expect(one.taken() + two.taken()).toBe(14);
    expect(two.taken()).toBeGreaterThan(1);
    while (flow.messages() > 0) {
      one.settle();
      two.settle();
    }
    expect([one.taken(), two.taken()]).toEqual([20, 3]);
    await flow.drained();
  });

  it('lets all connections go on when nothing is under way any more', () => {
    const flow = createFlow({ totalBytes: 1 });
    const busy = connect(flow);
    busy.send(2);
    const heldBack = [0, 1].map(() => {
      let goesOn = 0;
      const messages = flow.connect(() => (goesOn += 1));
      messages.join({ readerId: 1, orgId: 1 });
      messages.take(1);
      expect(messages.hasCapacity()).toBe(false);
      messages.settle(1);
      return { goesOn: () => goesOn };
    });
    busy.settle();
    busy.settle();
    expect(heldBack.map(({ goesOn }) => goesOn())).toEqual([1, 1]);
  });

  it('reads connections with nothing under way up to twice the bound of all', () => {
    const flow = createFlow({ totalBytes: 2 * (kib + 512) });
    const connections = Array.from({ length: 6 }, () => connect(flow));
    for (const connection of connections) connection.send(2);
    expect(connections.map((connection) => connection.taken())).toEqual([2, 1, 1, 0, 0, 0]);
  });

  it('holds a reader back at its own bound, and no other', () => {
    const flow = createFlow();
    const [one, two] = [connect(flow), connect(flow)];
    one.send(900);
    const held = one.taken();
    expect(held).toBeLessThan(900);
    two.send(1);
    expect(two.taken()).toBe(1);
    for (let n = 0; n < held; n += 1) one.settle();
    expect(one.taken()).toBe(900);
  });

  it('counts all connections of a reader as one, and what they leave under way', () => {
    const flow = createFlow();
    const [one, two, other] = [connect(flow), connect(flow), connect(flow)];
    one.join(1);
    two.join(1);
    other.join(2);
    one.send(900);
    two.send(900);
    other.send(1);
    expect(one.taken() + two.taken()).toBeLessThan(900);
    expect(other.taken()).toBe(1);
    const held = one.taken();
    one.leave();
    const next = connect(flow);
    next.join(1);
    next.send(1);
    expect([two.taken(), next.taken()]).toEqual([0, 0]);
    for (let n = 0; n < held; n += 1) one.settle();
    expect(two.taken()).toBeGreaterThan(0);
    while (flow.messages() > 0) for (const each of [two, next, other]) each.settle();
    expect([two.taken(), next.taken()]).toEqual([900, 1]);
  });

  it('reads of many by turns, and at once of a reader that has nothing in progress', async () => {
    const flow = createFlow();
    const busy = Array.from({ length: 20 }, (_, index) => {
      const connection = connect(flow);
      connection.join(index);
      connection.send(1);
      return connection;
    });
    const turn = 64 * kib;
    const [first, ...rest] = busy;
    first?.read(turn);
    for (const connection of rest) connection.send(1);
    expect(rest.map((connection) => connection.taken())).toEqual(rest.map(() => 1));
    const light = connect(flow);
    light.send(1);
    expect(light.taken()).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(rest.map((connection) => connection.taken())).toEqual(rest.map(() => 2));
  });

  it('asks nothing more of a connection that has left, and counts what it left', () => {
    const flow = createFlow({ totalBytes: 2 * (kib + 512) });
    const [one, two, three] = [connect(flow), connect(flow), connect(flow)];
    one.send(2);
    two.send(1);
    three.send(1);
    two.leave();
    one.leave();
    expect([two.taken(), three.taken()]).toEqual([1, 1]);
    expect(flow.messages()).toBe(4);
    two.send(1);
    three.send(1);
    one.settle();
    one.settle();
    two.settle();
    expect([two.taken(), three.taken()]).toEqual([1, 2]);
  });
});
