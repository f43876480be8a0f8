import { parser } from 'mqtt-packet';
import { expect, it } from 'vitest';
import { createHistogram } from '../../bench/ingest/histogram.js';
import { createMessages } from '../../bench/ingest/messages.js';
import { readIngestOptions } from '../../bench/ingest/options.js';
import { createAnswers, publishPacket } from '../../bench/ingest/packets.js';
import { formats } from '../../ingest-broker/formats/index.js';

it('returns percentiles to two percent for any durations', () => {
  const histogram = createHistogram();
  for (let ms = 1; ms <= 1000; ms += 1) histogram.add(ms);
  expect(Math.abs(histogram.percentile(0.5) / 500 - 1)).toBeLessThanOrEqual(0.02);
  expect(Math.abs(histogram.percentile(0.99) / 990 - 1)).toBeLessThanOrEqual(0.02);
  expect(histogram.percentile(1)).toBe(1000);
  expect(histogram.maxMs()).toBe(1000);
});

it('has no percentile without durations, and loses none that is beyond its bounds', () => {
  const histogram = createHistogram();
  expect(histogram.percentile(0.99)).toBe(0);
  histogram.add(0);
  histogram.add(1e9);
  expect(histogram.percentile(0.5)).toBeLessThanOrEqual(0.01);
  expect(histogram.percentile(1)).toBeGreaterThan(3_600_000);
});

const tags = Array.from({ length: 7 }, (_, index) => `E2801190A503006543E2122${index}`);

/** Returns what the service parses from a payload. */
function readsOf(payload: Uint8Array) {
  const understood = formats.native({ topic: 'readers/r/reads', payload, onReadsTopic: true, mapping: null });
  if (understood.kind !== 'reads') throw new Error(`the service understands ${understood.kind}`);
  return understood.reads;
}

it('makes messages that the service understands, and of which every read is an event', () => {
  const messages = createMessages(tags, 3);
  const nowMs = Date.parse('2026-05-01T10:00:00.125Z');
  const seen = new Set<string>();
  // The clock stands still, so repeated times would show.
  for (let message = 0; message < 50; message += 1) {
    const reads = readsOf(messages.next(nowMs));
    expect(reads).toHaveLength(3);
    for (const { value, observedAtMs, antenna, rssiDbm } of reads) {
      seen.add(`${value} ${observedAtMs}`);
      expect(observedAtMs).toBeGreaterThanOrEqual(nowMs);
      expect(observedAtMs).toBeLessThan(nowMs + 50);
      expect([antenna, rssiDbm]).not.toContain(null);
    }
  }
  expect(seen.size).toBe(150);
});

it('rejects to run ahead of the clock, and tags that do not fill a message', () => {
  const messages = createMessages(tags.slice(0, 1), 1);
  const nowMs = Date.now();
  const runAhead = () => {
    for (let message = 0; message < 10_000; message += 1) messages.next(nowMs);
  };
  expect(runAhead).toThrow('too few assets');
  expect(() => createMessages(tags, 8)).toThrow('fewer assets than reads');
});

it.each([0, 108, 109, 16_364, 16_365, 2_097_133])(
  'writes a PUBLISH with a payload of %d bytes as it is read',
  (bytes) => {
    const payload = Buffer.alloc(bytes, 'x');
    const found: unknown[] = [];
    const reading = parser().on('packet', (packet) => {
      if (packet.cmd !== 'publish') throw new Error(packet.cmd);
      const { topic, qos, dup, retain, messageId } = packet;
      found.push({ topic, qos, dup, retain, messageId, isWhole: payload.equals(packet.payload as Buffer) });
    });
    reading.parse(publishPacket({ topic: Buffer.from('readers/r/reads'), payload, id: undefined }));
    reading.parse(publishPacket({ topic: Buffer.from('readers/r/reads'), payload, id: 258 }));
    const common = { topic: 'readers/r/reads', dup: false, retain: false, isWhole: true };
    expect(found).toEqual([
      { ...common, qos: 0, messageId: undefined },
      { ...common, qos: 1, messageId: 258 },
    ]);
  },
);

it('parses the answers of a broker in pieces of any size', () => {
  const received: string[] = [];
  const follow = createAnswers({
    onConnected: (code) => received.push(`connected ${code}`),
    onAck: (id) => received.push(`ack ${id}`),
    onPong: () => received.push('pong'),
  });
  const bytes = Buffer.from([0x20, 2, 0, 0, 0x40, 2, 1, 2, 0xd0, 0, 0x40, 2, 0, 3]);
  for (const byte of bytes) follow(Buffer.from([byte]));
  follow(bytes);
  const all = ['connected 0', 'ack 258', 'pong', 'ack 3'];
  expect(received).toEqual([...all, ...all]);
  expect(() => follow(Buffer.from([0x30, 0]))).toThrow('type 48');
});

it('reads its options', () => {
  expect(readIngestOptions([])).toMatchObject({ readers: 20, rounds: 3, roundMs: 4000, only: [] });
  expect(readIngestOptions(['--quick', '--readers', '5', '--only', 'row', '--only', 'half'])).toMatchObject({
    ...{ readers: 5, rounds: 1, roundMs: 1000, only: ['row', 'half'] },
  });
  expect(() => readIngestOptions(['--seconds', '0'])).toThrow('--seconds must be a whole number above zero');
  expect(() => readIngestOptions(['--fast'])).toThrow(TypeError);
});
