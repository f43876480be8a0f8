import { type Fields, isAtEnd, takeByte, takeBytes, takeNumber, takeSlice, takeText, takeVariable } from '../fields.js';
import { ProtocolViolationError, protocolError } from '../violation.js';
import { reasonCodes } from './reason-codes.js';

type Kind = 'flag' | 'byte pair' | 'four bytes' | 'variable' | 'text' | 'topic' | 'bytes' | 'text pair';

/** The properties that a client may send (section 2.2.2.2). */
export const properties = {
  payloadFormatIndicator: 0x01,
  messageExpiryInterval: 0x02,
  contentType: 0x03,
  responseTopic: 0x08,
  correlationData: 0x09,
  subscriptionIdentifier: 0x0b,
  sessionExpiryInterval: 0x11,
  authenticationMethod: 0x15,
  authenticationData: 0x16,
  requestProblemInformation: 0x17,
  willDelayInterval: 0x18,
  requestResponseInformation: 0x19,
  reasonString: 0x1f,
  receiveMaximum: 0x21,
  topicAliasMaximum: 0x22,
  topicAlias: 0x23,
  userProperty: 0x26,
  maximumPacketSize: 0x27,
} as const;

const kinds = new Map<number, Kind>([
  [properties.payloadFormatIndicator, 'flag'],
  [properties.messageExpiryInterval, 'four bytes'],
  [properties.contentType, 'text'],
  [properties.responseTopic, 'topic'],
  [properties.correlationData, 'bytes'],
  [properties.subscriptionIdentifier, 'variable'],
  [properties.sessionExpiryInterval, 'four bytes'],
  [properties.authenticationMethod, 'text'],
  [properties.authenticationData, 'bytes'],
  [properties.requestProblemInformation, 'flag'],
  [properties.willDelayInterval, 'four bytes'],
  [properties.requestResponseInformation, 'flag'],
  [properties.reasonString, 'text'],
  [properties.receiveMaximum, 'byte pair'],
  [properties.topicAliasMaximum, 'byte pair'],
  [properties.topicAlias, 'byte pair'],
  [properties.userProperty, 'text pair'],
  [properties.maximumPacketSize, 'four bytes'],
]);

/** Properties that 0 is no value of. */
const nonzero = new Set<number>([
  properties.subscriptionIdentifier,
  properties.receiveMaximum,
  properties.maximumPacketSize,
]);

/** Of the properties of a packet, or of a last will; MQTT itself has no limit below the limit of the packet. */
const bytesMax = 16 * 1024;

const [plus, hash] = [0x2b, 0x23];

/** The properties of a packet, except user properties. Numbers have their value, texts and bytes their length. */
export type Properties = ReadonlyMap<number, number>;

const none: Properties = new Map();

/**
 * Reads the properties of a packet with their length, and checks them.
 *
 * @param allowed those that the packet may have besides user properties
 * @throws ProtocolViolationError
 */
export function takeProperties(fields: Fields, allowed: readonly number[]): Properties {
  const length = takeVariable(fields, 'the length of the properties');
  if (length === 0) return none;
  if (length > bytesMax) {
    const { quotaExceeded: reasonCode } = reasonCodes;
    throw new ProtocolViolationError(`the properties have ${length} bytes, more than ${bytesMax}`, { reasonCode });
  }
  const start = fields.position;
  takeSlice(fields, length, 'the properties');
  const block = { body: fields.body.subarray(0, fields.position), position: start };
  const found = new Map<number, number>();
  while (!isAtEnd(block)) {
    const property = takeByte(block, 'a property');
    const kind = kinds.get(property);
    if (kind === undefined || (property !== properties.userProperty && !allowed.includes(property))) {
      throw new ProtocolViolationError(`it has the property ${property} [MQTT 5: 2.2.2.2]`);
    }
    const value = takeValue(block, kind);
    if (kind === 'text pair') continue;
    if (found.has(property)) throw protocolError(`it has the property ${property} twice [MQTT 5: 2.2.2.2]`);
    if (value === 0 && nonzero.has(property)) throw protocolError(`its property ${property} is 0 [MQTT 5: 2.2.2.2]`);
    found.set(property, value);
  }
  return found;
}

function takeValue(fields: Fields, kind: Kind): number {
  const what = 'a property';
  switch (kind) {
    case 'flag': {
      const flag = takeByte(fields, what);
      if (flag > 1) throw protocolError('a property is neither 0 nor 1 [MQTT 5: 2.2.2.2]');
      return flag;
    }
    case 'byte pair':
      return takeNumber(fields, what);
    case 'four bytes':
      return takeSlice(fields, 4, what).readUInt32BE();
    case 'variable':
      return takeVariable(fields, what);
    case 'text':
      return takeText(fields, what).length;
    case 'topic': {
      const topic = takeText(fields, 'the response topic');
      if (!topic.includes(plus) && !topic.includes(hash)) return topic.length;
      throw protocolError('the response topic contains a wildcard [MQTT 5: 3.3.2-14]');
    }
    case 'bytes':
      return takeBytes(fields, what).length;
    case 'text pair':
      return takeText(fields, what).length + takeText(fields, what).length;
  }
}
