import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createConnectionEnds } from '../../gateway/connection-ends.js';
import { BodyAbortedError, BodyTooLargeError, hasUnsupportedEncoding, readBody } from '../../gateway/http-body.js';
import { createListener } from '../support/http-listener.js';
import { sendRaw } from '../support/raw-http.js';

const mib = 1024 * 1024;
const bytesMax = mib;

/** Answers the length of each body, or 413; keeps what was thrown. */
async function createWorld() {
  const thrown: unknown[] = [];
  let onError: (error: unknown) => void = () => {};
  const failure = new Promise<unknown>((resolve) => {
    onError = resolve;
  });
  const ends = createConnectionEnds();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await readBody(request, { bytesMax });
      response.end(Buffer.from(`${body.length}:${body.toString('latin1', 0, 20)}`));
    } catch (error) {
      thrown.push(error);
      onError(error);
      response.statusCode = 413;
      response.end(Buffer.from('too large'));
    }
  }

  const listener = await createListener((request, response) => {
    if (ends.isEnding(request.socket)) {
      request.resume();
      return;
    }
    ends.watch(request, response, () => void answer(request, response));
  });
  return { ...listener, thrown, failure };
}

function head(...headers: string[]): string {
  return ['POST / HTTP/1.1', 'Host: x', ...headers, '', ''].join('\r\n');
}

function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

const lastChunk = '0\r\n\r\n';
const next = `${head('Connection: close', 'Content-Length: 4')}next`;

describe('a body within the limit', () => {
  test.each([
    ['of a declared length', [head('Connection: close', 'Content-Length: 5'), 'hello'], '5:hello'],
    ['in pieces', [head('Connection: close', 'Content-Length: 5'), 'he', 'llo'], '5:hello'],
    [
      'in chunks',
      [head('Connection: close', 'Transfer-Encoding: chunked'), '2\r\nhe\r\n3\r\nllo\r\n', lastChunk],
      '5:hello',
    ],
    ['that is not there', [head('Connection: close')], '0:'],
    ['that is empty', [head('Connection: close', 'Content-Length: 0')], '0:'],
    ['empty in chunks', [head('Connection: close', 'Transfer-Encoding: chunked'), lastChunk], '0:'],
  ])('%s', async (_what, parts, expected) => {
    await using world = await createWorld();
    expect(await sendRaw(world.port, parts)).toMatchObject({ status: 200, body: expected });
  });

  test('of exactly the limit', async () => {
    await using world = await createWorld();
    const answer = await fetch(world.url, { method: 'POST', body: Buffer.alloc(bytesMax, 'a') });
    expect(await answer.text()).toBe(`${bytesMax}:${'a'.repeat(20)}`);
  });
});

describe('a body over the limit', () => {
  test('is rejected by its declared length before any of it arrives', async () => {
    await using world = await createWorld();
    const answer = sendRaw(world.port, [head('Connection: close', `Content-Length: ${bytesMax + 1}`)]);
    expect(await world.failure).toBeInstanceOf(BodyTooLargeError);
    expect((await answer).status).toBe(413);
  });

  test.each<[string, (string | Buffer)[]]>([
    ['of a declared length', [head(`Content-Length: ${bytesMax + 1}`), Buffer.alloc(bytesMax + 1)]],
    [
      'in chunks',
      [head('Transfer-Encoding: chunked'), chunk(Buffer.alloc(bytesMax)), chunk(Buffer.alloc(1)), lastChunk],
    ],
    ['five times', [head(`Content-Length: ${5 * mib}`), Buffer.alloc(5 * mib)]],
  ])('%s gets its answer, and what is sent behind it none', async (_what, parts) => {
    await using world = await createWorld();
    const answer = await sendRaw(world.port, [...parts, next]);
    expect(answer).toMatchObject({ status: 413, body: 'too large', error: undefined });
    expect(answer.headers.get('connection')).toBe('close');
    expect(answer.text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(world.thrown).toHaveLength(1);
  });

  test('without end is cut off', async () => {
    await using world = await createWorld();
    const piece = chunk(Buffer.alloc(mib));
    const parts = [head('Transfer-Encoding: chunked'), ...Array.from({ length: 64 }, () => piece), lastChunk];
    const answer = await sendRaw(world.port, parts, { halfOpen: true });
    expect(answer.status).toBe(413);
    expect(answer.error).toBeDefined();
  });
});

test('a client that disconnects is recognized', async () => {
  await using world = await createWorld();
  await sendRaw(world.port, [head('Content-Length: 100'), 'half'], { end: true });
  expect(await world.failure).toBeInstanceOf(BodyAbortedError);
});

test('encodings other than identity are not supported', async () => {
  const seen: boolean[] = [];
  await using listener = await createListener((request, response) => {
    seen.push(hasUnsupportedEncoding(request));
    response.end();
  });
  for (const encoding of [undefined, 'identity', 'Identity', '', 'gzip', 'br', 'identity, gzip']) {
    await fetch(listener.url, {
      method: 'POST',
      body: 'x',
      headers: encoding === undefined ? {} : { 'Content-Encoding': encoding },
    });
  }
  expect(seen).toStrictEqual([false, false, false, false, true, true, true]);
});
