import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createIntake } from '../../ingest-broker/wire/intake.js';
import { connectPacket, publishPacket } from '../support/raw-mqtt.js';

// Node calls `read(0)` when something arrives at a socket with a part that was not read yet, and ignores the result. Packets that
// were read by this call were neither stored nor acknowledged, and nothing was logged.

test('a message that arrives behind a half-read one gets through', async () => {
  const socket = new Duplex({ read() {} });
  const passed: Buffer[] = [];
  let hasCapacity = true;
  const intake = createIntake({
    socket,
    bodyBytesMax: 100_000,
    hasCapacity: () => hasCapacity,
    onRead({ isMoreThere }) {
      if (isMoreThere) hasCapacity = false;
    },
    onViolation() {},
  });
  socket.on('readable', () => {
    const packets = socket.read() as Buffer | null;
    if (packets) passed.push(packets);
  });
  const connect = connectPacket({ clientId: 'c', username: 'u', password: 'p' });
  const first = publishPacket({ topic: 'a', payload: Buffer.alloc(20_000, 1), qos: 1, id: 1 });
  const second = publishPacket({ topic: 'a', payload: Buffer.alloc(2000, 2), qos: 1, id: 2 });
  socket.push(connect);
  await nextTurn();
  intake.open();
  socket.push(first);
  await nextTurn();
  expect(socket.readableLength).toBeGreaterThan(0);
  // There is room again, but not enough that all connections that wait are told.
  hasCapacity = true;
  socket.push(second);
  await nextTurn();
  intake.goOn();
  await nextTurn();
  expect(Buffer.concat(passed).equals(Buffer.concat([connect, first, second]))).toBe(true);
});
