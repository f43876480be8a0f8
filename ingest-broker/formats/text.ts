import type { TagRead } from '../../server/index.js';
import type { Format } from './format.js';
import { readOf } from './frame-format.js';
import { textOfPayload, valuesMax } from './json-frames.js';
import { hexText, textOf } from './values.js';

/** Identifiers of chips: bytes, a decimal number, or the two numbers of a card. Several in a line are not one identifier. */
const identifier = /^(?:[0-9A-F]+|\d{2,}[ :-]\d{2,})$/;
const identifierMin = 4;
const identifierMax = 128;

/** Components of ESPHome whose state is no identifier; `text_sensor` may be one. */
const components = ['sensor', 'binary_sensor', 'switch', 'light', 'fan', 'cover', 'lock', 'number', 'select'];

/** Names the side topics of ESPHome: availability, logs, its own discovery, and states of other components. */
export const textSideTopics = [
  ...['**/status', '**/debug', 'esphome/discover/*'],
  ...components.map((component) => `**/${component}/*/state`),
];

/**
 * ESPHome, tag scanners for Home Assistant and other simple readers: the payload is the identifier of the chip, or has
 * one in each line. An empty payload says that the chip was taken away. Facts: esphome.io (PN532, RC522, RDM6300),
 * home-assistant.io (MQTT tag scanner).
 */
export const text: Format = ({ payload, onReadsTopic }) => {
  const lines = textOfPayload(payload)
    .split(/[\r\n\0]+/)
    .flatMap((line) => textOf(line) || []);
  const reads: TagRead[] = [];
  let loss: string | undefined;
  for (const line of lines.slice(0, valuesMax)) {
    const value = hexText(line);
    const isIdentifier = value.length >= identifierMin && value.length <= identifierMax && identifier.test(value);
    const read = isIdentifier
      ? readOf({ tagType: 'rfid', value, path: 'text' })
      : 'the payload is no identifier of a tag';
    if (typeof read === 'string') loss ??= read;
    else if (read) reads.push(read);
  }
  if (reads.length > 0) return { kind: 'reads', reads, ...(loss !== undefined && { loss }) };
  return loss !== undefined && onReadsTopic ? { kind: 'rejected', reason: loss } : { kind: 'status' };
};
