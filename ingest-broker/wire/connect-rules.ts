import { type Fields, takeByte, takeBytes, takeEnd, takeNumber, takeText } from './fields.js';
import { topicBytesMax } from './filters.js';
import { ProtocolViolationError } from './violation.js';

const unacceptableVersion = 1;

/** The bit by which a broker identifies itself as a bridge. */
const bridgeBit = 0x80;

/** Protocol levels by protocol name. MQTT 5 passes, so that the broker rejects it with advice. */
const levels = new Map([
  ['MQIsdp', [3]],
  ['MQTT', [4, 5]],
]);
const mqtt31 = 3;
const mqtt5 = 5;

const flagBits = { reserved: 0x01, will: 0x04, willQos: 0x18, willRetain: 0x20, password: 0x40, userName: 0x80 };

/** Checks a CONNECT (section 3.1), except the content of one of MQTT 5. */
export function checkConnect(fields: Fields): void {
  const known = levels.get(takeText(fields, 'the protocol name').toString());
  if (!known) throw new ProtocolViolationError('the protocol has another name than MQTT [MQTT-3.1.2-1]');
  const level = takeByte(fields, 'the protocol level') & ~bridgeBit;
  if (!known.includes(level)) {
    throw new ProtocolViolationError(`the protocol level is ${level}, not 4 [MQTT-3.1.2-2]`, unacceptableVersion);
  }
  if (level === mqtt5) return;
  if (level === mqtt31) clearUnusedFlags(fields);
  const flags = takeByte(fields, 'the connect flags');
  checkFlags(flags);
  takeNumber(fields, 'the keep alive');
  takeText(fields, 'the client identifier');
  if (flags & flagBits.will) {
    const topic = takeText(fields, 'the topic of the last will');
    if (topic.length > topicBytesMax) {
      throw new ProtocolViolationError(`the topic of the last will has more than ${topicBytesMax} bytes`);
    }
    takeBytes(fields, 'the last will');
  }
  if (flags & flagBits.userName) takeText(fields, 'the user name');
  if (flags & flagBits.password) takeBytes(fields, 'the password');
  takeEnd(fields);
}

/**
 * Clears the flags of an MQTT 3.1 CONNECT that have no meaning in its section 3.1: the reserved one, and QoS and retain
 * flag of a missing will. MQTT 3.1.1 forbids them, and so does the parser of the broker, which reads the same bytes.
 */
function clearUnusedFlags({ body, position }: Fields): void {
  const flags = body[position];
  if (flags === undefined) return;
  const unused = flags & flagBits.will ? flagBits.reserved : flagBits.reserved | flagBits.willQos | flagBits.willRetain;
  body[position] = flags & ~unused;
}

function checkFlags(flags: number): void {
  if (flags & flagBits.reserved) {
    throw new ProtocolViolationError('the reserved connect flag is set [MQTT-3.1.2-3]');
  }
  if (!(flags & flagBits.will)) {
    if (flags & flagBits.willQos) throw new ProtocolViolationError('there is a QoS without a will [MQTT-3.1.2-13]');
    if (flags & flagBits.willRetain) {
      throw new ProtocolViolationError('there is a retain flag without a will [MQTT-3.1.2-15]');
    }
  }
  if ((flags & flagBits.willQos) === flagBits.willQos) {
    throw new ProtocolViolationError('the QoS of the last will is 3 [MQTT-3.1.2-14]');
  }
  if (flags & flagBits.password && !(flags & flagBits.userName)) {
    throw new ProtocolViolationError('there is a password without a user name [MQTT-3.1.2-22]');
  }
}
