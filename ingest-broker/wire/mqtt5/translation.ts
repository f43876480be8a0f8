import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { generate, type IConnackPacket, type Packet as Answer, parser } from 'mqtt-packet';
import { lengthBytes } from '../framing.js';
import type { Packet } from '../packet-types.js';
import { type Mqtt5Connect, translateConnect } from './connect.js';
import { reasonCodes } from './reason-codes.js';
import { type Mqtt5Request, translateRequest } from './requests.js';

const mqtt311 = { protocolVersion: 4 };
const mqtt5 = { protocolVersion: 5 };

/** The code of a rejected filter in a SUBACK of MQTT 3.1.1. */
const rejectedFilter = 0x80;

/** Reason codes of CONNACK by return codes of MQTT 3.1.1. */
const connackReasons = [
  reasonCodes.success,
  reasonCodes.unsupportedProtocolVersion,
  reasonCodes.clientIdentifierNotValid,
  reasonCodes.serverUnavailable,
  reasonCodes.badUserNameOrPassword,
  reasonCodes.notAuthorized,
];

/** The connection of a client of MQTT 5 to a broker of MQTT 3.1.1. */
export type Translation = {
  /**
   * Translates a packet of the client; the first one is its CONNECT.
   *
   * @throws ProtocolViolationError
   */
  request(packet: Packet): Mqtt5Request;
  /** Answers a CONNECT that the broker does not see. */
  refuseConnect(reasonCode: number): void;
  /** Makes the broker's acknowledgement of a message state that the reader may not publish it. */
  refusePublish(messageId: number): void;
  /** Sends a DISCONNECT if the client is logged in, and nothing afterwards. */
  disconnect(reasonCode: number): void;
};

/**
 * Lets a client of MQTT 5 use a broker of MQTT 3.1.1: translates what the client sends, and replaces the socket's
 * `write` to translate the answers. Nothing is missing then, because the broker delivers no messages and keeps no
 * sessions.
 *
 * @param bodyBytesMax the longest packet of the client, without its fixed header
 */
export function createTranslation(socket: Duplex, bodyBytesMax: number): Translation {
  const writeSocket = socket.write.bind(socket) as (bytes: Buffer) => boolean;
  const answers = parser(mqtt311);
  let connect: Mqtt5Connect | undefined;
  let state: 'new' | 'open' | 'ended' = 'new';
  let hasRoom = true;
  /**
   * The number of filters of each UNSUBSCRIBE without an answer yet. UNSUBSCRIBE packets are answered in their order.
   */
  const unsubscribed: number[] = [];
  /** Packet identifiers of messages that are not acknowledged yet and will be refused. */
  const refused: number[] = [];

  answers.on('packet', (answer) => send(translate(answer)));
  socket.write = (bytes: Buffer) => {
    answers.parse(bytes);
    return hasRoom;
  };

  function send(answer: Answer): void {
    hasRoom = true;
    if (state === 'ended') return;
    const bytes = generate(answer, mqtt5);
    // [MQTT 5: 3.1.2-24]
    if (bytes.length <= (connect?.packetBytesMax ?? Number.POSITIVE_INFINITY)) hasRoom = writeSocket(bytes);
  }

  function translate(answer: Answer): Answer {
    switch (answer.cmd) {
      case 'connack':
        return connackOf(answer);
      case 'suback': {
        const granted = answer.granted.map((code) => (code === rejectedFilter ? reasonCodes.notAuthorized : code));
        return { ...answer, granted };
      }
      case 'unsuback':
        return { ...answer, granted: Array<number>(unsubscribed.shift() ?? 0).fill(reasonCodes.success) };
      case 'puback':
      case 'pubrec':
        return { ...answer, reasonCode: isRefused(answer.messageId) ? reasonCodes.notAuthorized : reasonCodes.success };
      case 'pubcomp':
        return { ...answer, reasonCode: reasonCodes.success };
      case 'pubrel':
        // The broker sends no messages, so this answers a PUBREC to none.
        return { ...answer, reasonCode: reasonCodes.packetIdentifierNotFound };
      default:
        return answer;
    }
  }

  function isRefused(messageId: number | undefined): boolean {
    const index = messageId === undefined ? -1 : refused.indexOf(messageId);
    if (index >= 0) refused.splice(index, 1);
    return index >= 0;
  }

  function connackOf({ returnCode = 0, sessionPresent }: IConnackPacket): Answer {
    const reasonCode = connackReasons[returnCode] ?? reasonCodes.unspecifiedError;
    if (reasonCode !== reasonCodes.success) return { cmd: 'connack', sessionPresent, reasonCode };
    state = 'open';
    const assignedId = connect?.assignedId;
    return {
      cmd: 'connack',
      sessionPresent,
      reasonCode,
      properties: {
        sessionExpiryInterval: 0,
        maximumPacketSize: bodyBytesMax + 1 + lengthBytes(bodyBytesMax).length,
        sharedSubscriptionAvailable: false,
        ...(assignedId !== undefined && { assignedClientIdentifier: assignedId }),
      },
    };
  }

  return {
    request(packet) {
      if (!connect) {
        connect = translateConnect(packet, randomUUID);
        return connect;
      }
      const request = translateRequest(packet, connect.wantsSession);
      if (request.filters !== undefined) unsubscribed.push(request.filters);
      return request;
    },
    refuseConnect(reasonCode) {
      send({ cmd: 'connack', sessionPresent: false, reasonCode });
      state = 'ended';
    },
    refusePublish: (messageId) => void refused.push(messageId),
    disconnect(reasonCode) {
      // [MQTT 5: 3.14.0-1]
      if (state === 'open') send({ cmd: 'disconnect', reasonCode });
      state = 'ended';
      // Aedes holds its answers back until the end of the turn, when the socket may be closed.
      while (socket.writableCorked > 0) socket.uncork();
    },
  };
}

/** Returns the answer to a CONNECT with a version after MQTT 5. */
export function unsupportedVersion(): Buffer {
  return generate({ cmd: 'connack', sessionPresent: false, reasonCode: reasonCodes.unsupportedProtocolVersion }, mqtt5);
}
