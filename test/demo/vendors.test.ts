import { describe, expect, it } from 'vitest';
import { deviceOf } from '../../demo/device.js';
import { readers } from '../../demo/readers.js';
import type { Message, Sighting } from '../../demo/vendors/vendor.js';
import { formats } from '../../ingest-broker/formats/index.js';
import { mayPublish, roleOfTopic } from '../../ingest-broker/topics.js';
import type { Mapping, ReaderFormat, ReaderLogin } from '../../server/index.js';
import { topicFlaw } from '../../server/tracking/readers/topics.js';

const username = 'abcdefghjkmn';
const atMs = Date.UTC(2026, 4, 1, 10, 0, 0, 125);
const moment = { sequence: 7, atMs };

const sightings: readonly Sighting[] = Array.from({ length: 130 }, (_, i) => ({
  value: `AC23${String(i).padStart(8, '0')}`,
  antenna: 1 + (i % 4),
  rssiDbm: -40 - (i % 30),
  atMs: atMs + i * 7,
}));

/** Returns what the service parses from a message, with the reader's registration. */
function understood(index: number, message: Message) {
  const { login, format } = registered(index);
  const onReadsTopic = roleOfTopic(login, message.topic) === 'reads';
  const payload = Buffer.from(message.payload);
  return formats[format]({ topic: message.topic, payload, onReadsTopic, mapping: login.mapping });
}

function registered(index: number) {
  const reader = readers[index] ?? fail(index);
  const device = deviceOf(reader, { username, index, speed: 60 });
  const { mapping, time_unit, tag_type } = (reader.vendor.settings ?? {}) as Record<string, any>;
  const login = {
    username,
    format: reader.vendor.format as ReaderFormat,
    publishTopics: [reader.vendor.publishTopic(device)],
    mapping: mapping ? ({ ...mapping, time_unit, tag_type } as Mapping) : null,
  } as unknown as ReaderLogin;
  return { reader, device, login, format: reader.vendor.format as ReaderFormat };
}

function fail(index: number): never {
  throw new Error(`there is no reader ${index}`);
}

it('has readers of twelve formats', () => {
  expect(new Set(readers.map(({ vendor }) => vendor.format)).size).toBe(12);
});

describe.each(readers.map(({ name, vendor }, index) => [vendor.format, name, index] as const))(
  '%s: %s',
  (...[, , index]) => {
    const { reader, device, login } = registered(index);
    const { vendor } = reader;

    it('is parsed to the last read', () => {
      const reads: unknown[] = [];
      for (const message of vendor.reports(device, sightings, moment)) {
        const found = understood(index, message);
        reads.push(...(found.kind === 'reads' ? found.reads : [found]));
      }
      const isGateway = vendor.tagType === 'ble';
      // Some also carry what the tag measures.
      expect(reads).toMatchObject(
        sightings.map(({ value, antenna, rssiDbm, atMs }) => ({
          tagType: vendor.tagType,
          value,
          rssiDbm,
          antenna: isGateway ? 1 : antenna,
          observedAtMs: vendor.tellsTime ? atMs : null,
        })),
      );
    });

    it('sends a heartbeat that is a status and is acknowledged', () => {
      const heartbeat = vendor.heartbeat(device, moment);
      expect(understood(index, heartbeat)).toEqual({ kind: 'status' });
      expect(heartbeat.qos).toBeGreaterThan(0);
    });

    it('uses only topics that it can register and publish to', () => {
      const { will, birth, clientId } = vendor.connection(device);
      const messages = [...vendor.reports(device, sightings, moment), vendor.heartbeat(device, moment), will, birth];
      for (const topic of login.publishTopics) expect(topicFlaw(topic, username)).toBeUndefined();
      expect(messages.filter((message) => message && !mayPublish(login, message.topic))).toEqual([]);
      expect(clientId).not.toBe('');
    });
  },
);

it('sends whole seconds where a device has no finer times, unless the day runs faster than real time', () => {
  for (const format of ['ruuvi', 'minew_g1']) {
    const index = readers.findIndex(({ vendor }) => vendor.format === format);
    const { reader } = registered(index);
    const times = [1, 60].map((speed) => {
      const [message] = reader.vendor.reports(deviceOf(reader, { username, index, speed }), sightings, moment);
      const found = understood(index, message as Message);
      return found.kind === 'reads' ? found.reads[0]?.observedAtMs : found;
    });
    expect([format, ...times]).toEqual([format, atMs - 125, atMs]);
  }
});
