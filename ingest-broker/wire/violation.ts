/** Bytes, or an order of packets, that MQTT does not allow: the connection is to end ([MQTT-4.8.0-1]). */
export class ProtocolViolationError extends Error {
  /** What CONNACK says before the end, where the standard asks for one. */
  readonly returnCode: number | undefined;

  /** @param message for people, with the clause that was broken */
  constructor(message: string, returnCode?: number) {
    super(message);
    this.name = 'ProtocolViolationError';
    this.returnCode = returnCode;
  }
}

/** A packet that is longer than allowed. */
export class OversizedPacketError extends ProtocolViolationError {
  constructor(bodyBytes: number) {
    super(`a packet of ${bodyBytes} bytes`);
    this.name = 'OversizedPacketError';
  }
}

/** A packet that began and is not finished, though its sender had the time. */
export class StalledPacketError extends ProtocolViolationError {
  constructor() {
    super('a packet that was not finished');
    this.name = 'StalledPacketError';
  }
}
