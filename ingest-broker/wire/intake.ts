import type { Duplex } from 'node:stream';
import { isOfMqtt5 } from './connect-rules.js';
import { createFraming, type Header } from './framing.js';
import { createTranslation, type Translation, unsupportedVersion } from './mqtt5/translation.js';
import { reasonCodes } from './mqtt5/reason-codes.js';
import { type Packet, packetTypes } from './packet-types.js';
import { checkPacket, isSentByClients, namePacket } from './rules.js';
import { createStallWatch } from './stall-watch.js';
import { OversizedPacketError, ProtocolViolationError, protocolError, StalledPacketError } from './violation.js';

/**
 * A CONNECT with a client id of any length and a last will of reasonable length; its sender is not authenticated yet.
 */
const connectBytesMax = 128 * 1024;
/** How much is read from a socket before others take their turn. */
const pieceBytesMax = 16 * 1024;
const piecePacketsMax = 100;

/** A protocol violation of a client; the packet is missing if only its header was checked. */
export type Violation = { error: ProtocolViolationError; packet: Packet | undefined };

/** The bytes of one read of a socket. */
export type Piece = {
  bytes: number;
  /** Complete packets; an incomplete packet may follow them. */
  packets: number;
  /** Memory of the incomplete packet at the end. */
  begunBytes: number;
  /** Whether more can be read immediately. */
  isMoreThere: boolean;
};

export type IntakeOptions = {
  socket: Duplex;
  /** The longest body of a packet after the CONNECT, without its fixed header. */
  bodyBytesMax: number;
  /** Returns whether more messages can be accepted; otherwise the socket is not read. */
  hasCapacity(): boolean;
  /** Called after each read, before the packets are passed on. */
  onRead(piece: Piece): void;
  /** Called once; the connection ends right afterwards. */
  onViolation(violation: Violation): void;
};

/** A filter between a socket and the broker. */
export type Intake = {
  /** Lets later packets pass, once the CONNECT has been accepted. */
  open(): void;
  /** Makes the reader of the socket try again, as more can be accepted. */
  goOn(): void;
  /** Returns whether the socket is being read now, or would be if the client read its answers. */
  isListening(): boolean;
  /**
   * Makes the acknowledgement of a message at QoS 1 or 2 a refusal. Returns false for a client of MQTT 3.1.1, which has
   * no such acknowledgement.
   */
  refuse(messageId: number): boolean;
  /** Returns whether the client uses MQTT 5. */
  isMqtt5(): boolean;
  /** Ends the connection of a client of MQTT 5, with the reason. Does nothing to others: the caller ends the connection. */
  announceEnd(reasonCode: number): void;
};

/**
 * Passes bytes as complete packets that MQTT allows, in an order that it allows, and only below the memory limits.
 * Nothing passes between a CONNECT and its acceptance ([MQTT-3.1.4-5]), nor after a DISCONNECT. Replaces the socket's
 * `read`, so that TCP slows down a sender that is held back, and a packet that came in one chunk is not copied. Packets
 * of MQTT 5 pass as packets of MQTT 3.1.1.
 */
export function createIntake({ socket, bodyBytesMax, hasCapacity, onRead, onViolation }: IntakeOptions): Intake {
  const readSocket = socket.read.bind(socket) as (bytes?: number) => Buffer | null;
  const framing = createFraming(checkHeader, checkType);
  let state: 'new' | 'answering' | 'open' | 'ended' = 'new';
  let isHeldBack = false;
  /** Whether the socket is not read because the client does not read its answers. */
  let hasUnreadAnswers = false;
  /** Defined for a client of MQTT 5. */
  let translation: Translation | undefined;
  const stallWatch = createStallWatch({
    isReading: () => !isHeldBack || hasUnreadAnswers,
    onStall: () => end({ error: new StalledPacketError(), packet: undefined }),
  });

  socket.read = (bytes?: number): Buffer | null => {
    // Node itself calls `read(0)` to have more received, and ignores what it returns: packets would be lost.
    if (bytes === 0) return readSocket(0);
    while (state === 'new' || state === 'open') {
      // While a client does not read its answers, its socket is not read.
      hasUnreadAnswers = socket.writableNeedDrain;
      isHeldBack = hasUnreadAnswers || !hasCapacity();
      const chunk = isHeldBack ? null : readPiece();
      if (chunk === null) return null;
      const passed = pass(chunk);
      const there = socket.readableLength;
      const begunBytes = framing.begunBytes();
      stallWatch.read({ bytes: chunk.length, packets: passed.length, isUnfinished: begunBytes > 0 });
      onRead({ bytes: chunk.length, packets: passed.length, begunBytes, isMoreThere: there > 0 });
      if (passed.length > 0) return passed.length === 1 && passed[0] ? passed[0] : Buffer.concat(passed);
    }
    return null;
  };

  function readPiece(): Buffer | null {
    // Without a number the socket also checks whether it has ended.
    return socket.readableLength > pieceBytesMax ? readSocket(pieceBytesMax) : readSocket();
  }

  /** Returns the packets that may pass. */
  function pass(chunk: Buffer): Buffer[] {
    const passed: Buffer[] = [];
    let packet: Packet | undefined;
    try {
      framing.give(chunk);
      for (packet = framing.take(); packet; packet = nextPacket()) {
        if (packet.type === packetTypes.connect && isOfMqtt5(packet.body)) {
          translation = createTranslation(socket, bodyBytesMax);
        }
        const understood = translation ? translated(packet, translation) : packet;
        if (!understood) break;
        checkPacket(understood);
        passed.push(understood.bytes);
        if (packet.type === packetTypes.connect) state = 'answering';
        if (packet.type === packetTypes.disconnect) state = 'ended'; // [MQTT-3.14.4-2]
        if (state !== 'open' || passed.length === piecePacketsMax) break;
      }
    } catch (error) {
      if (!(error instanceof ProtocolViolationError)) throw error;
      end({ error, packet });
    }
    const rest = framing.giveBack();
    if (rest.length > 0 && state !== 'ended') socket.unshift(rest);
    return passed;

    function nextPacket(): Packet | undefined {
      packet = undefined;
      return framing.take();
    }
  }

  /** Returns undefined for a DISCONNECT that must not pass, because the broker would discard the last will. */
  function translated(packet: Packet, { request }: Translation): Packet | undefined {
    try {
      const { packet: understood, keepsWill } = request(packet);
      if (!keepsWill) return understood;
    } catch (error) {
      throw namePacket(error, packet.type);
    }
    state = 'ended';
    setImmediate(destroy);
    return undefined;
  }

  function checkType(type: number): void {
    if (state === 'new' && type !== packetTypes.connect) {
      throw new ProtocolViolationError('the first packet is no CONNECT [MQTT-3.1.0-1]');
    }
    const isOfMqtt5Alone = translation !== undefined && type === packetTypes.auth;
    if (!isSentByClients(type) && !isOfMqtt5Alone) throw protocolError(`no client sends packets of type ${type}`);
  }

  function checkHeader({ type, bodyBytes }: Header): void {
    if (state === 'open' && type === packetTypes.connect) {
      throw protocolError('there is a second CONNECT [MQTT-3.1.0-2]');
    }
    if (bodyBytes > (state === 'new' ? connectBytesMax : bodyBytesMax)) throw new OversizedPacketError(bodyBytes);
  }

  function end(violation: Violation): void {
    const isLogin = state === 'new';
    state = 'ended';
    stallWatch.stop();
    onViolation(violation);
    const { returnCode, reasonCode } = violation.error;
    if (isLogin && translation) translation.refuseConnect(reasonCode);
    if (returnCode !== undefined) socket.end(Buffer.from([packetTypes.connack << 4, 2, 0, returnCode]), destroy);
    else if (reasonCode === reasonCodes.unsupportedProtocolVersion) socket.end(unsupportedVersion(), destroy);
    // The packets that passed before are handled first.
    else setImmediate(destroyWith, reasonCode);
  }

  function destroyWith(reasonCode: number): void {
    translation?.disconnect(reasonCode);
    destroy();
  }

  function destroy(): void {
    socket.destroy();
  }

  function goOn(): void {
    isHeldBack = false;
    socket.emit('readable');
  }

  socket.on('drain', () => {
    if (isHeldBack) goOn();
  });

  socket.once('close', stallWatch.stop);

  return {
    open() {
      if (state === 'answering') state = 'open';
    },
    goOn,
    isListening: () => state === 'open' && (!isHeldBack || hasUnreadAnswers),
    refuse(messageId) {
      translation?.refusePublish(messageId);
      return translation !== undefined;
    },
    isMqtt5: () => translation !== undefined,
    announceEnd(reasonCode) {
      if (!translation) return;
      state = 'ended';
      stallWatch.stop();
      translation.disconnect(reasonCode);
      setImmediate(destroy);
    },
  };
}
