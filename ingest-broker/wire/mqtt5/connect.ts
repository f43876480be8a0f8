import { flagBits } from '../connect-rules.js';
import { type Fields, takeByte, takeBytes, takeSlice, takeText } from '../fields.js';
import { packetFrom } from '../framing.js';
import type { Packet } from '../packet-types.js';
import { ProtocolViolationError, protocolError } from '../violation.js';
import { properties, takeProperties } from './properties.js';
import { reasonCodes } from './reason-codes.js';

const ofConnect = [
  properties.sessionExpiryInterval,
  properties.receiveMaximum,
  properties.maximumPacketSize,
  properties.topicAliasMaximum,
  properties.requestResponseInformation,
  properties.requestProblemInformation,
  properties.authenticationMethod,
  properties.authenticationData,
];

const ofWill = [
  properties.willDelayInterval,
  properties.payloadFormatIndicator,
  properties.messageExpiryInterval,
  properties.contentType,
  properties.responseTopic,
  properties.correlationData,
];

const mqtt311 = Buffer.from('\0\u0004MQTT\u0004');
const empty = Buffer.from([0, 0]);

/** An MQTT 5 CONNECT, translated to MQTT 3.1.1, with what MQTT 3.1.1 cannot express. */
export type Mqtt5Connect = {
  /** The same CONNECT in MQTT 3.1.1, to be checked by its rules. */
  packet: Packet;
  /** The longest packet that the client accepts, in bytes. */
  packetBytesMax: number;
  /** Whether the client asks for a session that outlives the connection. */
  wantsSession: boolean;
  /** Given to a client that has no client id. */
  assignedId: string | undefined;
};

/**
 * Translates a CONNECT of MQTT 5 (section 3.1). A session never outlives its connection, so every start is a clean
 * start, and a delayed last will is due at once.
 *
 * @param newId returns a client id for a client that has none
 * @throws ProtocolViolationError
 */
export function translateConnect(packet: Packet, newId: () => string): Mqtt5Connect {
  const fields: Fields = { body: packet.body, position: 0 };
  takeText(fields, 'the protocol name');
  takeByte(fields, 'the protocol level');
  const flags = takeByte(fields, 'the connect flags');
  const keepAlive = takeSlice(fields, 2, 'the keep alive');
  const found = takeProperties(fields, ofConnect);
  if (found.has(properties.authenticationMethod)) {
    const { badAuthenticationMethod: reasonCode } = reasonCodes;
    throw new ProtocolViolationError('it asks for an authentication method', { reasonCode });
  }
  if (found.has(properties.authenticationData)) {
    throw protocolError('it has authentication data without a method [MQTT 5: 3.1.2.11.10]');
  }
  const givenId = takeField(fields, 'the client identifier');
  const assignedId = givenId.length > empty.length ? undefined : newId();
  const will: Buffer[] = [];
  if (flags & flagBits.will) {
    takeProperties(fields, ofWill);
    will.push(takeField(fields, 'the topic of the last will'), takeField(fields, 'the last will'));
  }
  // MQTT 5 allows a password without a user name.
  const isNameless = (flags & (flagBits.password | flagBits.userName)) === flagBits.password;
  const translated = packetFrom(packet, [
    mqtt311,
    Buffer.from([flags | flagBits.clean | (isNameless ? flagBits.userName : 0)]),
    keepAlive,
    assignedId === undefined ? givenId : fieldOf(assignedId),
    ...will,
    ...(isNameless ? [empty] : []),
    fields.body.subarray(fields.position),
  ]);
  return {
    packet: translated,
    packetBytesMax: found.get(properties.maximumPacketSize) ?? Number.POSITIVE_INFINITY,
    wantsSession: (found.get(properties.sessionExpiryInterval) ?? 0) > 0,
    assignedId,
  };
}

/** Reads bytes with their length. */
function takeField(fields: Fields, what: string): Buffer {
  const start = fields.position;
  takeBytes(fields, what);
  return fields.body.subarray(start, fields.position);
}

function fieldOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
}
