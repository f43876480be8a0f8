/** The control packets of MQTT, by the number in their first byte (section 2.2.1). Only MQTT 5 has AUTH. */
export const packetTypes = {
  connect: 1,
  connack: 2,
  publish: 3,
  puback: 4,
  pubrec: 5,
  pubrel: 6,
  pubcomp: 7,
  subscribe: 8,
  suback: 9,
  unsubscribe: 10,
  unsuback: 11,
  pingreq: 12,
  pingresp: 13,
  disconnect: 14,
  auth: 15,
} as const;

/** A received control packet. */
export type Packet = {
  type: number;
  /** The lower half of the first byte. */
  flags: number;
  /** The bytes after the fixed header. */
  body: Buffer;
  /** The whole packet. */
  bytes: Buffer;
};
