import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapped } from '../../../ingest-broker/formats/mapped.js';
import { createMappingJudge, type MappingJudge } from '../../../ingest-broker/mappings/mapping-judge.js';
import { type Mapping, mappingMsFor } from '../../../server/index.js';
import { createLog } from '../../../server/kernel/log.js';
import { blanks, hostileMessages } from './hostile.js';

const usual: Mapping = { value: 'epc', time_unit: 'ms', tag_type: 'rfid' };
const [[, hostile, hostilePayload] = ['', usual, '']] = hostileMessages;
const tookTooMuch = { kind: 'rejected', reason: expect.stringMatching(/^the mapping takes more than (\d+ ms|128 MB)/) };
const paused = { kind: 'rejected', reason: expect.stringContaining('the mapping is paused for a minute') };
const isRead = { kind: 'reads', reads: [{ value: 'E280' }] };

let nowMs = 0;
let judge: MappingJudge;
let readers = 0;

beforeAll(() => {
  judge = createMappingJudge({ log: createLog('silent'), elapsedMs: () => nowMs });
});
afterAll(() => judge.stop());

/** A reader of an organization, which sends messages with a mapping. */
function reader(orgId = 1) {
  readers += 1;
  const sender = { orgId, readerId: readers };
  return (mapping = usual, payload = '{"epc":"E280"}') =>
    judge.judge(sender, { topic: 'gate/1', payload: Buffer.from(payload), onReadsTopic: true, mapping });
}

it('a message may take 100 ms, and 1 ms more for each KiB', () => {
  expect([0, 1, 1024, 256 * 1024].map((bytes) => mappingMsFor(Buffer.alloc(bytes)))).toEqual([100, 101, 101, 356]);
});

describe('a mapping', () => {
  it.each(hostileMessages)('of %s ends, and the messages after it are read', async (_, mapping, payload) => {
    const messages = [reader()(mapping, payload), reader()(), reader(2)()];
    expect(await Promise.all(messages)).toMatchObject([tookTooMuch, isRead, isRead]);
  });

  it('of blanks does not delay the messages after it', async () => {
    const messages = [reader()(blanks.mapping, blanks.payload), reader()(), reader(2)()];
    expect((await Promise.all(messages)).slice(1)).toMatchObject([isRead, isRead]);
  });

  it('that took too much is paused for a minute, and other readers are not', async () => {
    const send = reader();
    expect(await send(hostile, hostilePayload)).toMatchObject(tookTooMuch);
    expect(await send(hostile)).toMatchObject(paused);
    expect(await reader()()).toMatchObject(isRead);
    nowMs += 59_999;
    expect(await send(hostile)).toMatchObject(paused);
    nowMs += 1;
    expect(await send(hostile, hostilePayload)).toMatchObject(tookTooMuch);
  });

  it('that is changed is not paused any more', async () => {
    const send = reader();
    await send(hostile, hostilePayload);
    expect(await send(hostile)).toMatchObject(paused);
    expect(await send(usual)).toMatchObject(isRead);
  });
});

it.each<[string, Partial<Mapping>, string]>([
  [
    'paths',
    { list: 'tags', antenna: 'port', rssi: 'rssi' },
    '{"tags":[{"epc":"E280","port":2,"rssi":-48},{"epc":"E281"}]}',
  ],
  ['digits beyond the precision of numbers', {}, '{"epc":12345678901234567890}'],
  ['computed digits', { value: 'to_string(epc)', tag_type: 'barcode' }, '{"epc":1.50}'],
  ['a time that is none', {}, '{"epc":"E280","timestamp":"28/11/2026 9:4:0:111"}'],
  ['parts that are missing', { antenna: 'port', rssi: 'level', time: 'at' }, '{"epc":"E280"}'],
  ['broken JSON', { list: 'tags' }, '{"tags":[{"epc":"E280"},{"epc":"E28},{"epc":"E282"}]}'],
  ['a departure', {}, '{"epc":"E280","event":"left"}'],
  ['nothing that the mapping finds', {}, '{"uid":"E2801190A503006543E21224","rssi":-48}'],
  ['an expression that fails', { value: 'join(epc, epc)' }, '{"epc":"E280"}'],
  ['binary data', {}, '\u0000\u0001\u0002'],
])('a message with %s is judged in the process as by the format itself', async (_, changes, payload) => {
  const mapping = { ...usual, ...changes };
  const input = { topic: 'gate/1', payload: Buffer.from(payload), onReadsTopic: true, mapping };
  expect(await reader()(mapping, payload)).toEqual(mapped(input));
});

it('an organization that ends the process waits for the next process itself', async () => {
  const timed = createMappingJudge({ log: createLog('silent') });
  const order: number[] = [];
  const send = (orgId: number, readerId: number, [mapping, payload]: [Mapping, string]) =>
    timed
      .judge({ orgId, readerId }, { topic: 'gate/1', payload: Buffer.from(payload), onReadsTopic: true, mapping })
      .then(() => order.push(orgId));
  await send(3, 1, [usual, '{"epc":"E280"}']);
  await Promise.all([
    ...[11, 12].map((readerId) => send(1, readerId, [hostile, hostilePayload])),
    ...Array.from({ length: 20 }, () => send(2, 21, [usual, '{"epc":"E280"}'])),
  ]);
  await timed.stop();
  expect(order).toEqual([3, 1, ...Array.from({ length: 20 }, () => 2), 1]);
});

it('messages that wait are rejected when the service stops', async () => {
  const stopped = createMappingJudge({ log: createLog('silent') });
  const input = { topic: 'gate/1', payload: Buffer.from('{"epc":"E280"}'), onReadsTopic: true, mapping: usual };
  const messages = [1, 2, 3].map(() => stopped.judge({ orgId: 1, readerId: 1 }, input));
  const outcomes = Promise.allSettled(messages);
  await stopped.stop();
  expect(await outcomes).toMatchObject(messages.map(() => ({ reason: { message: 'the service is stopping' } })));
  await expect(stopped.judge({ orgId: 1, readerId: 1 }, input)).rejects.toThrow('the service is stopping');
});
