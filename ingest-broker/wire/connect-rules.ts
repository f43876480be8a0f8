import { type Fields, takeByte, takeBytes, takeEnd, takeNumber, takeText } from './fields.js';
import { topicBytesMax } from './filters.js';
import { reasonCodes } from './mqtt5/reason-codes.js';
import { ProtocolViolationError } from './violation.js';

const unacceptableVersion = 1;

/** The bit by which a broker identifies itself as a bridge. */
const bridgeBit = 0x80;

/** Protocol levels by protocol name. A CONNECT of MQTT 5, level 5, is translated before it is checked. */
const levels = new Map([
  ['MQIsdp', 3],
  ['MQTT', 4],
]);
const mqtt31 = 3;
const mqtt5 = 5;
const mqtt5Begin = Buffer.from('\0\u0004MQTT');

export const flagBits = {
  reserved: 0x01,
  clean: 0x02,
  will: 0x04,
  willQos: 0x18,
  willRetain: 0x20,
  password: 0x40,
  userName: 0x80,
};

/** Returns whether a CONNECT is an MQTT 5 one, by its protocol name and level. */
export function isOfMqtt5(body: Buffer): boolean {
  const level = body[mqtt5Begin.length];
  return level !== undefined && (level & ~bridgeBit) === mqtt5 && body.indexOf(mqtt5Begin) === 0;
}

/** Checks a CONNECT of MQTT 3.1 or 3.1.1 (section 3.1). */
export function checkConnect(fields: Fields): void {
  const known = levels.get(takeText(fields, 'the protocol name').toString());
  if (!known) throw new ProtocolViolationError('the protocol has another name than MQTT [MQTT-3.1.2-1]');
  const level = takeByte(fields, 'the protocol level') & ~bridgeBit;
  if (level !== known) {
    // A client of a version after MQTT 5 can read an MQTT 5 answer, and an older client an MQTT 3.1.1 answer.
    const codes =
      level > mqtt5 ? { reasonCode: reasonCodes.unsupportedProtocolVersion } : { returnCode: unacceptableVersion };
    throw new ProtocolViolationError(`the protocol level is ${level}, not 4 or 5 [MQTT-3.1.2-2]`, codes);
  }
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
 * Clears the flags of an MQTT 3.1 CONNECT that have no meaning in section 3.1 of MQTT 3.1: the reserved flag, and QoS
 * and retain flag of a missing will. MQTT 3.1.1 forbids these flags, and so does the parser of the broker, which reads
 * the same bytes.
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
