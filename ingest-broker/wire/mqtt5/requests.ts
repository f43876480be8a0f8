import { type Fields, isAtEnd, takeByte, takeEnd, takeIdentifier, takeSlice, takeText } from '../fields.js';
import { packetFrom } from '../framing.js';
import { type Packet, packetTypes } from '../packet-types.js';
import { ProtocolViolationError, protocolError } from '../violation.js';
import { properties, type Property, takeProperties } from './properties.js';
import { reasonCodes } from './reason-codes.js';

const ofPublish = [
  properties.payloadFormatIndicator,
  properties.messageExpiryInterval,
  properties.topicAlias,
  properties.responseTopic,
  properties.correlationData,
  properties.contentType,
];

const qosMask = 0x06;
/** Bits of the options of a subscription. */
const optionBits = { reserved: 0xc0, retainHandling: 0x30, qos: 0x03 };
const sharedPrefix = Buffer.from('$share/');
const nothing = Buffer.alloc(0);

const { publish, puback, pubrec, pubrel, pubcomp, subscribe, unsubscribe, disconnect, auth } = packetTypes;

/** A packet of MQTT 3.1.1, to be checked by its rules, and what MQTT 3.1.1 cannot express. */
export type Mqtt5Request = {
  packet: Packet;
  /** For an UNSUBSCRIBE: the number of its filters, which the answer needs. */
  filters?: number;
  /** For a DISCONNECT: whether the last will is to be published. */
  keepsWill?: boolean;
};

/**
 * Translates a packet of a client after its CONNECT. Properties of messages and subscriptions are of no use here, because no
 * message is delivered to a client.
 *
 * @param wantsSession whether the CONNECT asked for a session that outlives the connection
 * @throws ProtocolViolationError
 */
export function translateRequest(packet: Packet, wantsSession: boolean): Mqtt5Request {
  const fields: Fields = { body: packet.body, position: 0 };
  switch (packet.type) {
    case publish:
      return { packet: translatePublish(packet, fields) };
    case puback:
    case pubrec:
    case pubrel:
    case pubcomp:
      takeIdentifier(fields);
      takeReason(fields, [properties.reasonString]);
      return { packet: packetFrom(packet, [packet.body.subarray(0, 2)]) };
    case subscribe:
      return { packet: translateSubscribe(packet, fields) };
    case unsubscribe:
      return translateUnsubscribe(packet, fields);
    case disconnect:
      return translateDisconnect(packet, fields, wantsSession);
    case auth:
      throw protocolError('an AUTH packet without an authentication method [MQTT 5: 4.12.0-6]');
    default:
      return { packet };
  }
}

function translatePublish(packet: Packet, fields: Fields): Packet {
  takeText(fields, 'the topic');
  if (packet.flags & qosMask) takeIdentifier(fields);
  const head = packet.body.subarray(0, fields.position);
  if (takeProperties(fields, ofPublish).has(properties.topicAlias)) {
    const { topicAliasInvalid: reasonCode } = reasonCodes;
    throw new ProtocolViolationError('it has a topic alias, and none is allowed [MQTT 5: 3.3.2-9]', { reasonCode });
  }
  return packetFrom(packet, [head, packet.body.subarray(fields.position)]);
}

function translateSubscribe(packet: Packet, fields: Fields): Packet {
  const identifier = takeSlice(fields, 2, 'the packet identifier');
  takeProperties(fields, [properties.subscriptionIdentifier]);
  const parts: Buffer[] = [identifier];
  while (!isAtEnd(fields)) {
    const start = fields.position;
    if (takeText(fields, 'the topic filter').indexOf(sharedPrefix) === 0) {
      const { sharedSubscriptionsNotSupported: reasonCode } = reasonCodes;
      throw new ProtocolViolationError('a subscription is shared [MQTT 5: 3.2.2.3.13]', { reasonCode });
    }
    parts.push(packet.body.subarray(start, fields.position));
    const options = takeByte(fields, 'the options of a subscription');
    if (options & optionBits.reserved) {
      throw new ProtocolViolationError('reserved options of a subscription are set [MQTT 5: 3.8.3-5]');
    }
    if ((options & optionBits.retainHandling) === optionBits.retainHandling) {
      throw protocolError('the retain handling of a subscription is 3 [MQTT 5: 3.8.3.1]');
    }
    parts.push(Buffer.from([options & optionBits.qos]));
  }
  return packetFrom(packet, parts);
}

function translateUnsubscribe(packet: Packet, fields: Fields): Mqtt5Request {
  const identifier = takeSlice(fields, 2, 'the packet identifier');
  takeProperties(fields, []);
  const rest = packet.body.subarray(fields.position);
  let filters = 0;
  for (; !isAtEnd(fields); filters += 1) takeText(fields, 'the topic filter');
  return { packet: packetFrom(packet, [identifier, rest]), filters };
}

function translateDisconnect(packet: Packet, fields: Fields, wantsSession: boolean): Mqtt5Request {
  const { code, found } = takeReason(fields, [properties.reasonString, properties.sessionExpiryInterval]);
  if (!wantsSession && (found.get(properties.sessionExpiryInterval) ?? 0) > 0) {
    throw protocolError('it asks for a session, and the CONNECT did not [MQTT 5: 3.14.2.2.2]');
  }
  return { packet: packetFrom(packet, [nothing]), keepsWill: code !== reasonCodes.success };
}

/** Reads a reason code and properties. Both can be left out. */
function takeReason(fields: Fields, allowed: readonly Property[]) {
  const code = isAtEnd(fields) ? reasonCodes.success : takeByte(fields, 'the reason code');
  const found = isAtEnd(fields) ? new Map<Property, number>() : takeProperties(fields, allowed);
  takeEnd(fields);
  return { code, found };
}
