import { describe, expect, it } from 'vitest';
import { deviceOf } from '../../demo/device.js';
import { readers } from '../../demo/readers.js';
import type { Message, Sighting } from '../../demo/vendors/vendor.js';
import { formats } from '../../ingest-broker/formats/index.js';
import { isReadsTopic, mayPublish } from '../../ingest-broker/topics.js';
import type { Mapping, ReaderFormat, ReaderLogin } from '../../server/index.js';
import { readerFormats } from '../../server/readers/formats.js';
import { topicFlaw } from '../../server/readers/topics.js';

const username = 'abcdefghjkmn';
const atMs = Date.UTC(2026, 4, 1, 10, 0, 0, 125);
const moment = { sequence: 7, atMs };

const sightings: readonly Sighting[] = Array.from({ length: 130 }, (_, i) => ({
  value: `AC23${String(i).padStart(8, '0')}`,
  antenna: 1 + (i % 4),
  rssiDbm: -40 - (i % 30),
  atMs: atMs + i * 7,
}));

/** What the service understands of a message, as it is registered for the reader. */
function understood(place: number, message: Message) {
  const { login, format } = registered(place);
  const onReadsTopic = isReadsTopic(login, message.topic);
  const payload = Buffer.from(message.payload);
  return formats[format]({ topic: message.topic, payload, onReadsTopic, mapping: login.mapping });
}

function registered(place: number) {
  const reader = readers[place] ?? fail(place);
  const device = deviceOf(reader, { username, place, speed: 60 });
  const { mapping, time_unit, tag_type } = (reader.vendor.settings ?? {}) as Record<string, any>;
  const login = {
    username,
    publishTopic: reader.vendor.publishTopic(device),
    mapping: mapping ? ({ ...mapping, time_unit, tag_type } as Mapping) : null,
  } as ReaderLogin;
  return { reader, device, login, format: reader.vendor.format as ReaderFormat };
}

function fail(place: number): never {
  throw new Error(`there is no reader ${place}`);
}

it('has one reader of each format', () => {
  expect(readers.map(({ vendor }) => vendor.format).toSorted()).toEqual(readerFormats.toSorted());
});

describe.each(readers.map(({ name, vendor }, place) => [vendor.format, name, place] as const))(
  '%s: %s',
  (...[, , place]) => {
    const { reader, device, login } = registered(place);
    const { vendor } = reader;

    it('is understood to the last read', () => {
      const reads: unknown[] = [];
      for (const message of vendor.reports(device, sightings, moment)) {
        const found = understood(place, message);
        reads.push(...(found.kind === 'reads' ? found.reads : [found]));
      }
      const isGateway = vendor.tagType === 'ble';
      expect(reads).toEqual(
        sightings.map(({ value, antenna, rssiDbm, atMs }) => ({
          ...{ tagType: vendor.tagType, value, rssiDbm },
          antenna: isGateway ? 1 : antenna,
          observedAtMs: vendor.tellsTime ? atMs : null,
        })),
      );
    });

    it('gives a sign of life that is a status and is acknowledged', () => {
      const heartbeat = vendor.heartbeat(device, moment);
      expect(understood(place, heartbeat)).toEqual({ kind: 'status' });
      expect(heartbeat.qos).toBeGreaterThan(0);
    });

    it('keeps to topics that can be registered and published to', () => {
      const { will, birth, clientId } = vendor.connection(device);
      const messages = [...vendor.reports(device, sightings, moment), vendor.heartbeat(device, moment), will, birth];
      expect(topicFlaw(login.publishTopic, username)).toBeUndefined();
      expect(messages.filter((message) => message && !mayPublish(login, message.topic))).toEqual([]);
      expect(clientId).not.toBe('');
    });
  },
);

it('tells whole seconds where a device has no finer ones, unless the day is played faster than life', () => {
  for (const format of ['ruuvi', 'minew_g1']) {
    const place = readers.findIndex(({ vendor }) => vendor.format === format);
    const { reader } = registered(place);
    const times = [1, 60].map((speed) => {
      const [message] = reader.vendor.reports(deviceOf(reader, { username, place, speed }), sightings, moment);
      const found = understood(place, message as Message);
      return found.kind === 'reads' ? found.reads[0]?.observedAtMs : found;
    });
    expect([format, ...times]).toEqual([format, atMs - 125, atMs]);
  }
});
