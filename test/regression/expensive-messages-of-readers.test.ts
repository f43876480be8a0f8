import { afterEach, describe, expect, it, vi } from 'vitest';
import { type FrameFormat, jsonFormat } from '../../ingest-broker/formats/frame-format.js';
import { recognizeFormat } from '../../ingest-broker/formats/recognize.js';
import type { ReaderFormat } from '../../server/index.js';
import { understand } from '../ingest-broker/formats/understand.js';

const payloadBytes = 256 * 1024;
const good = '{"reads":[{"value":"E2801190A503006543E21224"}]}';

const filled = (part: string) => part.repeat(Math.floor(payloadBytes / part.length));
const listOf = (item: string, length: number) => `[${Array.from({ length }, () => item).join(',')}]`;

afterEach(() => vi.restoreAllMocks());

describe('a message of many broken parts', () => {
  it.each([
    ['x[]', 10_002],
    ['{x}', 101],
    ['{"a":1,}', 101],
    ['x', 1],
    ['1 ', 1],
    ['{}', 10_002],
  ])('of %s makes the parser work a bounded number of times', (part, callsMax) => {
    const parse = vi.spyOn(JSON, 'parse');
    expect(understand('auto', filled(part)).kind).toBe('rejected');
    expect(parse.mock.calls.length).toBeLessThanOrEqual(callsMax);
  });

  it('loses no good reads between text and some broken objects', () => {
    const between = Array.from({ length: 99 }, () => `${good}, {x} nonsense`).join('');
    expect(understand('auto', between + good)).toMatchObject({ kind: 'reads', reads: { length: 100 } });
    const text = Array.from({ length: 2000 }, () => good).join(',\n');
    expect(understand('auto', text)).toMatchObject({ kind: 'reads', reads: { length: 2000 } });
  });
});

describe('a message of nested parts', () => {
  const nested = (levels: number) => `${good.slice(0, -1)},"more":${'['.repeat(levels)}${']'.repeat(levels)}}`;

  it('is read up to 200 levels', () => {
    expect(understand('native', nested(199)).kind).toBe('reads');
  });

  it.each([200, payloadBytes / 4])('is rejected before the parser reads 1 and %i levels', (levels) => {
    const parse = vi.spyOn(JSON, 'parse');
    expect(understand('native', nested(levels)).kind).toBe('rejected');
    expect(parse).not.toHaveBeenCalled();
  });

  it('may have any number of brackets in its texts', () => {
    const text = JSON.stringify({ note: `${'['.repeat(300)}"\\`, reads: [{ value: 'E2801190A503006543E21224' }] });
    expect(understand('native', text).kind).toBe('reads');
  });
});

describe('a message of very many values', () => {
  function examinedOf(payload: string): number {
    let examined = 0;
    const format: FrameFormat = {
      findings() {
        examined += 1;
        return undefined;
      },
      isStatus: () => false,
    };
    const input = { topic: 't', payload: Buffer.from(payload), onReadsTopic: true, mapping: null };
    expect(jsonFormat(format)(input).kind).toBe('rejected');
    return examined;
  }

  it('is examined up to 10,000 objects', () => {
    expect(examinedOf(listOf('{}', 87_000))).toBe(10_000);
    expect(examinedOf(filled('{}'))).toBe(10_000);
    expect(examinedOf(listOf('1', 9000) + listOf('{}', 9000))).toBe(1000);
  });

  it.each<[ReaderFormat, string]>([
    ['native', `{"reads":${listOf('{"value":1}', 20_000)}}`],
    ['native', filled('{"reads":[{"value":1}]}')],
    ['auto', filled('{"reads":[{"value":2}]}')],
    ['csl_cs463', `{"tags":${listOf('{"epc":1}', 20_000)}}`],
  ])('gives 10,000 reads at most, in the format %s', (format, payload) => {
    expect(understand(format, payload)).toMatchObject({ kind: 'reads', reads: { length: 10_000 } });
  });

  it('gives 10,000 reads at most with paths of its user', () => {
    const mapping = { list: 'a.b', value: 'v', time_unit: 's', tag_type: 'rfid' } as const;
    const payload = `{"a":{"b":${listOf('{"v":1}', 20_000)}}}`;
    expect(understand('mapped', payload, { mapping })).toMatchObject({ kind: 'reads', reads: { length: 10_000 } });
  });
});

it.each([
  ['messages', filled('[1,2],'), { value: 'keys(topic())' }],
  ['items', `{"a":${listOf('{}', 20_000)}}`, { list: 'a', value: 'keys(topic())' }],
])('an expression that fails is tried on 1,000 %s at most', (_, payload, paths) => {
  const split = vi.spyOn(String.prototype, 'split');
  const mapping = { ...paths, time_unit: 's', tag_type: 'rfid' } as const;
  expect(understand('mapped', payload, { mapping }).kind).toBe('rejected');
  expect(split.mock.contexts.filter((text) => String(text) === 'site/reads')).toHaveLength(1000);
});

it('a long topic level is not searched for a MAC address for each object', () => {
  const replaceAll = vi.spyOn(String.prototype, 'replaceAll');
  understand('ruuvi', listOf('{"rssi":1}', 5000), { topic: `readers/r/${'-'.repeat(1000)}` });
  expect(replaceAll).not.toHaveBeenCalled();
});

it('a message is parsed once to recognize its format', () => {
  const parse = vi.spyOn(JSON, 'parse');
  const input = {
    topic: 't',
    payload: Buffer.from('{"id":"AABBCCDDEEFF","rssi":-60}'),
    onReadsTopic: true,
    mapping: null,
  };
  expect(recognizeFormat(input)).toBe('theengs');
  expect(parse).toHaveBeenCalledOnce();
});
