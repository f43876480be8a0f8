import { checkConnect } from './connect-rules.js';
import { type Fields, isAtEnd, takeByte, takeEnd, takeIdentifier, takeText } from './fields.js';
import { isWellFormedFilter, levelsMax, topicBytesMax } from './filters.js';
import { type Packet, packetTypes } from './packet-types.js';
import { reasonCodes } from './mqtt5/reason-codes.js';
import { ProtocolViolationError, protocolError } from './violation.js';

/** The requirements of a packet type. */
type Rule = {
  name: string;
  /** The required flags of the fixed header ([MQTT-2.2.2-2]). */
  flags?: number;
  check(fields: Fields, flags: number): void;
};

const qosMask = 0x06;
const dupFlag = 0x08;
const qosMax = 2;
/** Filters of one SUBSCRIBE or UNSUBSCRIBE. */
const filtersMax = 100;
const [slash, plus, hash] = [0x2f, 0x2b, 0x23];

/** The packet types that a client may send; the others are for servers or reserved. */
const rules = new Map<number, Rule>([
  [packetTypes.connect, { name: 'CONNECT', flags: 0, check: checkConnect }],
  [packetTypes.publish, { name: 'PUBLISH', check: checkPublish }],
  [packetTypes.puback, { name: 'PUBACK', flags: 0, check: checkAnswer }],
  [packetTypes.pubrec, { name: 'PUBREC', flags: 0, check: checkAnswer }],
  [packetTypes.pubrel, { name: 'PUBREL', flags: 2, check: checkAnswer }],
  [packetTypes.pubcomp, { name: 'PUBCOMP', flags: 0, check: checkAnswer }],
  [packetTypes.subscribe, { name: 'SUBSCRIBE', flags: 2, check: checkSubscribe }],
  [packetTypes.unsubscribe, { name: 'UNSUBSCRIBE', flags: 2, check: checkUnsubscribe }],
  [packetTypes.pingreq, { name: 'PINGREQ', flags: 0, check: takeEnd }],
  [packetTypes.disconnect, { name: 'DISCONNECT', flags: 0, check: takeEnd }],
]);

/** Returns whether a client may send packets of a type; the others are for servers or reserved. */
export function isSentByClients(type: number): boolean {
  return rules.has(type);
}

/**
 * Checks a packet of a client against MQTT 3.1.1, more strictly than the broker's own parser does.
 *
 * @throws ProtocolViolationError
 */
export function checkPacket({ type, flags, body }: Packet): void {
  const rule = rules.get(type);
  if (!rule) throw protocolError(`no client sends packets of type ${type}`);
  try {
    if (rule.flags !== undefined && flags !== rule.flags) {
      throw new ProtocolViolationError('the reserved flags of the header are wrong [MQTT-2.2.2-2]');
    }
    rule.check({ body, position: 0 }, flags);
  } catch (error) {
    throw namePacket(error, type);
  }
}

/** Puts the name of the packet's type before the message of a violation. */
export function namePacket(error: unknown, type: number): unknown {
  const name = rules.get(type)?.name;
  if (error instanceof ProtocolViolationError && name !== undefined) error.message = `${name}: ${error.message}`;
  return error;
}

function checkPublish(fields: Fields, flags: number): void {
  const qos = (flags & qosMask) >> 1;
  if (qos > qosMax) throw new ProtocolViolationError('the QoS is 3 [MQTT-3.3.1-4]');
  if (qos === 0 && flags & dupFlag) {
    throw new ProtocolViolationError('QoS 0 is marked as sent again [MQTT-3.3.1-2]');
  }
  const topic = takeText(fields, 'the topic');
  if (topic.length === 0) throw protocolError('the topic is empty [MQTT-4.7.3-1]');
  if (topic.includes(plus) || topic.includes(hash)) {
    throw invalidTopic('the topic contains a wildcard [MQTT-3.3.2-2]');
  }
  if (topic.length > topicBytesMax) throw invalidTopic(tooLong(topic, 'the topic'));
  if (countLevels(topic) > levelsMax) throw invalidTopic(`the topic has more than ${levelsMax} levels`);
  if (qos > 0) takeIdentifier(fields);
}

function checkAnswer(fields: Fields): void {
  takeIdentifier(fields);
  takeEnd(fields);
}

function checkSubscribe(fields: Fields): void {
  checkFilters(fields, '[MQTT-3.8.3-3]', () => {
    checkFilter(fields);
    if (takeByte(fields, 'the QoS') > qosMax) {
      throw protocolError('the QoS of a filter is above 2 [MQTT-3-8.3-4]');
    }
  });
}

function checkUnsubscribe(fields: Fields): void {
  checkFilters(fields, '[MQTT-3.10.3-2]', () => checkFilter(fields));
}

function checkFilters(fields: Fields, clauseOfNone: string, checkOne: () => void): void {
  takeIdentifier(fields);
  let count = 0;
  for (; !isAtEnd(fields); count += 1) {
    if (count === filtersMax) {
      const { quotaExceeded: reasonCode } = reasonCodes;
      throw new ProtocolViolationError(`it names more than ${filtersMax} topic filters`, { reasonCode });
    }
    checkOne();
  }
  if (count === 0) throw protocolError(`it names no topic filter ${clauseOfNone}`);
}

function checkFilter(fields: Fields): void {
  const filter = takeText(fields, 'the topic filter');
  if (filter.length === 0) throw invalidFilter('a topic filter is empty [MQTT-4.7.3-1]');
  if (filter.length > topicBytesMax) throw invalidFilter(tooLong(filter, 'a topic filter'));
  if (countLevels(filter) > levelsMax) {
    throw invalidFilter(`a topic filter has more than ${levelsMax} levels`);
  }
  if (!isWellFormedFilter(filter.toString())) {
    throw invalidFilter('a wildcard is not a whole level, or # not the last one [MQTT-4.7.1-2]');
  }
}

const tooLong = (text: Buffer, what: string) => `${what} has ${text.length} bytes, more than ${topicBytesMax}`;

function invalidTopic(message: string): ProtocolViolationError {
  return new ProtocolViolationError(message, { reasonCode: reasonCodes.topicNameInvalid });
}

function invalidFilter(message: string): ProtocolViolationError {
  return new ProtocolViolationError(message, { reasonCode: reasonCodes.topicFilterInvalid });
}

function countLevels(topic: Buffer): number {
  let count = 1;
  for (const byte of topic) if (byte === slash) count += 1;
  return count;
}
