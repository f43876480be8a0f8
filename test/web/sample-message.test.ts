import { expect, it } from 'vitest';
import { formats } from '../../ingest-broker/formats/index.js';
import type { Mapping } from '../../server/index.js';
import { formatNames, sampleMessage } from '../../web/readers/formats.js';

const common = { time_unit: 'ms', tag_type: 'rfid' } as const;
const reader = { tag_type: 'rfid', publish_topic: 'readers/r1/reads' } as const;

/** Returns what a reader's format reads in the message of its test command. */
function readsOf(format: keyof typeof formats, mapping: Mapping | null = null): unknown {
  const message = sampleMessage({ ...reader, format, mapping });
  if (message === undefined) return undefined;
  const payload = Buffer.from(message);
  const content = formats[format]({ topic: 'ruuvi/gw/F95BC0EC4E56', payload, onReadsTopic: true, mapping });
  return content.kind === 'reads' ? content.reads.map(({ value }) => value) : content;
}

it('is a message with one read in each format', () => {
  const ready = Object.keys(formatNames).filter((format) => format !== 'mapped') as (keyof typeof formats)[];
  expect(ready.map((format) => [format, readsOf(format)])).toEqual(
    ready.map((format) => [format, [expect.any(String)]]),
  );
});

it('follows a mapping of paths, and none with expressions or a condition', () => {
  const reads = ['E2801190A503006543E21224'];
  expect(readsOf('mapped', { ...common, value: 'tag.id' })).toEqual(reads);
  expect(readsOf('mapped', { ...common, list: 'data.tags', value: 'epc', antenna: 'port' })).toEqual(reads);
  expect(readsOf('mapped', { ...common, list: 'data[*].tags[]', value: 'epc' })).toBeUndefined();
  expect(readsOf('mapped', { ...common, value: 'epc', antenna: 'topic()[1]' })).toBeUndefined();
  expect(readsOf('mapped', { ...common, value: 'epc', condition: "move == 'Insert'" })).toBeUndefined();
});
