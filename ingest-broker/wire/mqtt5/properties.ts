import { type Fields, isAtEnd, takeByte, takeBytes, takeNumber, takeSlice, takeText, takeVariable } from '../fields.js';
import { ProtocolViolationError, protocolError } from '../violation.js';
import { reasonCodes } from './reason-codes.js';

type Kind = 'flag' | 'byte pair' | 'four bytes' | 'variable' | 'text' | 'topic' | 'bytes' | 'text pair';

/** A property, with the kind of its value. Some properties must not be 0. */
export type Property = { code: number; kind: Kind; isNonzero?: true };

/** The properties that a client may send (section 2.2.2.2). */
export const properties = {
  payloadFormatIndicator: { code: 0x01, kind: 'flag' },
  messageExpiryInterval: { code: 0x02, kind: 'four bytes' },
  contentType: { code: 0x03, kind: 'text' },
  responseTopic: { code: 0x08, kind: 'topic' },
  correlationData: { code: 0x09, kind: 'bytes' },
  subscriptionIdentifier: { code: 0x0b, kind: 'variable', isNonzero: true },
  sessionExpiryInterval: { code: 0x11, kind: 'four bytes' },
  authenticationMethod: { code: 0x15, kind: 'text' },
  authenticationData: { code: 0x16, kind: 'bytes' },
  requestProblemInformation: { code: 0x17, kind: 'flag' },
  willDelayInterval: { code: 0x18, kind: 'four bytes' },
  requestResponseInformation: { code: 0x19, kind: 'flag' },
  reasonString: { code: 0x1f, kind: 'text' },
  receiveMaximum: { code: 0x21, kind: 'byte pair', isNonzero: true },
  topicAliasMaximum: { code: 0x22, kind: 'byte pair' },
  topicAlias: { code: 0x23, kind: 'byte pair' },
  userProperty: { code: 0x26, kind: 'text pair' },
  maximumPacketSize: { code: 0x27, kind: 'four bytes', isNonzero: true },
} as const satisfies Record<string, Property>;

const byCode = new Map<number, Property>(Object.values(properties).map((property) => [property.code, property]));

/** The most bytes of the properties of a packet or a last will. MQTT itself limits only the packet. */
const bytesMax = 16 * 1024;

const [plus, hash] = [0x2b, 0x23];

/**
 * The properties of a packet, except user properties. The value is the number itself, and the length of texts and
 * bytes.
 */
export type Properties = ReadonlyMap<Property, number>;

const none: Properties = new Map();

/**
 * Reads the properties of a packet with their length, and checks them.
 *
 * @param allowed the properties that the packet may have besides user properties
 * @throws ProtocolViolationError
 */
export function takeProperties(fields: Fields, allowed: readonly Property[]): Properties {
  const length = takeVariable(fields, 'the length of the properties');
  if (length === 0) return none;
  if (length > bytesMax) {
    const { quotaExceeded: reasonCode } = reasonCodes;
    throw new ProtocolViolationError(`the properties have ${length} bytes, more than ${bytesMax}`, { reasonCode });
  }
  const start = fields.position;
  takeSlice(fields, length, 'the properties');
  const block = { body: fields.body.subarray(0, fields.position), position: start };
  const found = new Map<Property, number>();
  while (!isAtEnd(block)) {
    const code = takeByte(block, 'a property');
    const property = byCode.get(code);
    if (!property || (property !== properties.userProperty && !allowed.includes(property))) {
      throw new ProtocolViolationError(`it has the property ${code} [MQTT 5: 2.2.2.2]`);
    }
    const value = takeValue(block, property.kind);
    if (property.kind === 'text pair') continue;
    if (found.has(property)) throw protocolError(`it has the property ${code} twice [MQTT 5: 2.2.2.2]`);
    if (value === 0 && property.isNonzero) throw protocolError(`its property ${code} is 0 [MQTT 5: 2.2.2.2]`);
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
