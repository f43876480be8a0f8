import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createFlow } from '../../ingest-broker/flow.js';

const kib = 1024;

/** A connection whose reader takes 1 KiB messages out of the socket as fast as it may. */
function connect(flow: ReturnType<typeof createFlow>) {
  const socket = new PassThrough({ highWaterMark: 1024 * kib });
  const messages = flow.connect(socket, () => {});
  let taken = 0;
  let settled = 0;
  socket.on('readable', () => {
    for (let chunk = socket.read(kib); chunk !== null; chunk = socket.read(kib)) {
      taken += 1;
      messages.take(kib);
    }
  });
  return {
    socket,
    taken: () => taken,
    /** Settles a message, if there is one. */
    settle() {
      if (settled === taken) return;
      settled += 1;
      messages.settle(kib);
    },
  };
}

/** A publish of exactly 1 KiB, fixed header included. */
const message = Buffer.concat([Buffer.from([0x30, 0xfd, 0x07]), Buffer.alloc(kib - 3)]);

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the flow of messages', () => {
  it('stops at the bound of all, and lets each connection go on by turns', async () => {
    const flow = createFlow({ payloadBytesMax: 2 * kib, totalBytes: 10 * (kib + 512) });
    const [one, two] = [connect(flow), connect(flow)];
    for (let n = 0; n < 20; n += 1) one.socket.write(message);
    await turn();
    for (let n = 0; n < 3; n += 1) two.socket.write(message);
    await turn();
    expect([one.taken(), two.taken(), flow.isFull()]).toEqual([10, 0, true]);
    one.settle();
    await turn();
    one.settle();
    await turn();
    one.settle();
    await turn();
    expect(one.taken() + two.taken()).toBe(13);
    expect(two.taken()).toBeGreaterThan(0);
    while (flow.messages() > 0) {
      one.settle();
      two.settle();
      await turn();
    }
    expect([one.taken(), two.taken()]).toEqual([20, 3]);
    await flow.drained();
  });

  it('holds a connection back at its own bound, and no other', async () => {
    const flow = createFlow({ payloadBytesMax: 2 * kib });
    const [one, two] = [connect(flow), connect(flow)];
    for (let n = 0; n < 900; n += 1) one.socket.write(message);
    await turn();
    const held = one.taken();
    expect(held).toBeLessThan(900);
    two.socket.write(message);
    await turn();
    expect(two.taken()).toBe(1);
    for (let n = 0; n < held; n += 1) one.settle();
    await turn();
    expect(one.taken()).toBe(900);
  });

  it('reads no more once it is closed', async () => {
    const flow = createFlow({ payloadBytesMax: 2 * kib });
    const one = connect(flow);
    flow.close();
    one.socket.write(message);
    await turn();
    expect(one.taken()).toBe(0);
  });

  it('ends a connection at the header of a packet that is too long', async () => {
    const flow = createFlow({ payloadBytesMax: 2 * kib });
    const socket = new PassThrough();
    const found: unknown[] = [];
    flow.connect(socket, (packet) => found.push(packet));
    socket.on('readable', () => void socket.read());
    socket.write(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(found).toEqual([{ type: 3, bytes: 268_435_455 }]);
  });
});
