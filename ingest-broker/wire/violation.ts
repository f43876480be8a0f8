import { reasonCodes } from './mqtt5/reason-codes.js';

/** Bytes, or an order of packets, that MQTT does not allow: the connection is to end ([MQTT-4.8.0-1]). */
export class ProtocolViolationError extends Error {
  /** The reason code for a client of MQTT 5. */
  readonly reasonCode: number;
  /** The return code of CONNACK for a client of MQTT 3.1.1 before the end, where the standard asks for one. */
  readonly returnCode: number | undefined;

  /** @param message for people, with the clause that was broken */
  constructor(message: string, codes: { reasonCode?: number; returnCode?: number } = {}) {
    super(message);
    this.name = 'ProtocolViolationError';
    this.reasonCode = codes.reasonCode ?? reasonCodes.malformedPacket;
    this.returnCode = codes.returnCode;
  }
}

/** A packet that is longer than allowed. */
export class OversizedPacketError extends ProtocolViolationError {
  constructor(bodyBytes: number) {
    super(`a packet of ${bodyBytes} bytes`, { reasonCode: reasonCodes.packetTooLarge });
    this.name = 'OversizedPacketError';
  }
}

/** A packet that has begun and that its sender has not finished in time. */
export class StalledPacketError extends ProtocolViolationError {
  constructor() {
    super('a packet that was not finished', { reasonCode: reasonCodes.unspecifiedError });
    this.name = 'StalledPacketError';
  }
}

/** Returns the violation by a packet that can be parsed, but has no meaning. */
export function protocolError(message: string): ProtocolViolationError {
  return new ProtocolViolationError(message, { reasonCode: reasonCodes.protocolError });
}
