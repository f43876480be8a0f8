import type { TagType } from '../../server/parsing.js';
import type { Format } from './format.js';
import { addFinding, type Finding, newResult, outcomeOf } from './frame-format.js';
import { textOfPayload, valuesMax } from './json-frames.js';
import { hexText, isNothing, macText, textOf } from './values.js';

/** Identifiers of chips: bytes, a decimal number, or the two numbers of a card. Several in a line are not one identifier. */
const identifier = /^(?:[0-9A-F]+|\d{2,}[ :-]\d{2,})$/;
const identifierMin = 4;
const identifierMax = 128;

/** Components of ESPHome whose state is no identifier; `text_sensor` may be one. */
const components = ['sensor', 'binary_sensor', 'switch', 'light', 'fan', 'cover', 'lock', 'number', 'select'];

/** Names the side topics of ESPHome: availability, logs, its own discovery, and states of other components. */
export const textSideTopics = [
  '**/status',
  '**/debug',
  'esphome/discover/*',
  ...components.map((component) => `**/${component}/*/state`),
];

/**
 * ESPHome, tag scanners for Home Assistant and other simple readers: the payload is the identifier of the chip or what a
 * barcode scanner has read, or has one in each line. An empty payload means that the chip was taken away. Facts: esphome.io
 * (PN532, RC522, RDM6300), home-assistant.io (MQTT tag scanner).
 */
export const text: Format = ({ payload, onReadsTopic, mapping }) => {
  const tagType = mapping?.tag_type ?? 'rfid';
  const result = newResult();
  let left = valuesMax;
  for (const raw of textOfPayload(payload).split(/[\r\n\0]+/)) {
    const line = textOf(raw);
    if (!line) continue;
    addFinding(result, findingOf(line, tagType));
    left -= 1;
    if (left === 0) break;
  }
  return outcomeOf(result, onReadsTopic);
};

function findingOf(line: string, tagType: TagType): Finding {
  if (tagType === 'barcode') return { tagType, value: line, path: 'text' };
  const value = tagType === 'ble' ? macText(line) : hexText(line);
  const isIdentifier = value.length >= identifierMin && value.length <= identifierMax && identifier.test(value);
  if (isIdentifier) return { tagType, value, path: 'text' };
  return isNothing(value, tagType) ? { noRead: true } : { flaw: 'the payload is no identifier of a tag' };
}
