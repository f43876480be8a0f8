import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createConnectionEnds } from '../../gateway/connection-ends.js';
import { readBody } from '../../gateway/http-body.js';
import { createListener } from '../support/http-listener.js';

const mib = 1024 * 1024;

function head(path: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${mib}\r\n\r\n`;
}

/** A gateway's beginning, which rejects a request when it is told to. */
async function createWorld() {
  const ends = createConnectionEnds();
  const sockets: Socket[] = [];
  let decide = () => {};
  const decided = new Promise<void>((resolve) => {
    decide = resolve;
  });
  const answered: string[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    answered.push(request.url ?? '');
    await decided;
    if (request.url === '/accepted') {
      const { length } = await readBody(request, { bytesMax: mib });
      response.end(Buffer.from(`read ${length}`));
      return;
    }
    response.statusCode = 413;
    response.end(Buffer.from('too large'));
  }

  const listener = await createListener((request, response) => {
    sockets.push(request.socket);
    ends.watch(request, response, () => void answer(request, response));
  });
  listener.server.on('connection', ends.onConnection);

  async function send(path: string): Promise<Socket> {
    // Sends everything, whatever it receives meanwhile.
    const client = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
    const arrived = once(listener.server, 'request');
    client.write(head(path));
    await arrived;
    client.write(Buffer.alloc(mib, 'a'));
    return client;
  }

  async function answerOf(client: Socket): Promise<string> {
    let text = '';
    client.setEncoding('latin1').on('data', (part: string) => {
      text += part;
    });
    await once(client, 'end');
    client.end();
    return text;
  }

  const readBytes = () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  return { ...listener, decide: () => decide(), send, answerOf, readBytes, sockets, answered };
}

test('nothing of a large body is read before its request has been accepted', async () => {
  await using world = await createWorld();
  const clients = [await world.send('/accepted'), await world.send('/rejected')];
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect(world.readBytes()).toBe(head('/accepted').length + head('/rejected').length);
  world.decide();
  const [accepted, rejected] = await Promise.all(clients.map(world.answerOf));
  expect(accepted).toContain(`read ${mib}`);
  expect(rejected).toMatch(/^HTTP\/1\.1 413 [^]*too large$/);
});

test('of many rejected bodies, the process discards little before it looks after other connections', async () => {
  await using world = await createWorld();
  const clients: Socket[] = [];
  for (let count = 0; count < 40; count += 1) clients.push(await world.send('/rejected'));
  let isOver = false;
  world.decide();
  const answers = Promise.all(clients.map(world.answerOf));
  void Promise.all(world.sockets.map((socket) => once(socket, 'close'))).then(() => {
    isOver = true;
  });
  let most = 0;
  let before = world.readBytes();
  while (!isOver) {
    await nextTurn();
    const present = world.readBytes();
    most = Math.max(most, present - before);
    before = present;
  }
  for (const answer of await answers) expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(before).toBeGreaterThan(4 * mib);
  expect(most).toBeLessThan(4 * mib);
});

test('a request on a new connection is not answered after all large bodies of a burst', async () => {
  await using world = await createWorld();
  const clients = Array.from({ length: 60 }, () => connect({ port: world.port, host: '127.0.0.1' }));
  for (const client of clients) client.write(head('/rejected'));
  const bystander = connect({ port: world.port, host: '127.0.0.1' });
  bystander.write('GET /small HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  world.decide();
  await world.answerOf(bystander);
  await expect.poll(() => world.answered.length).toBe(clients.length + 1);
  for (const client of clients) client.destroy();
  expect(world.answered.indexOf('/small')).toBeLessThan(clients.length / 2);
});
