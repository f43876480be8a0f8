/** Headers of the PROXY protocol, as proxies send them. */

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');

export type BinaryHeader = {
  version?: number;
  /** 0 is LOCAL, 1 is PROXY. */
  command?: number;
  /** Address family and transport: 0x11 is TCP over IPv4, 0x21 TCP over IPv6. */
  protocol: number;
  addresses: Uint8Array;
  /** Follows the addresses. */
  more?: Uint8Array;
};

/** A header of version 2. */
export function binaryHeader({ version = 2, command = 1, protocol, addresses, more }: BinaryHeader): Buffer {
  const rest = Buffer.concat([addresses, more ?? Buffer.alloc(0)]);
  const fixed = Buffer.from([(version << 4) | command, protocol, rest.length >> 8, rest.length & 255]);
  return Buffer.concat([signature, fixed, rest]);
}

/** A header of version 2 for a client with an IPv4 address. */
export function headerOfIpv4(address: string, more?: Uint8Array): Buffer {
  const source = address.split('.').map(Number);
  return binaryHeader({
    protocol: 0x11,
    addresses: Buffer.from([...source, 192, 0, 2, 1, 0xc0, 0, 7, 91]),
    ...(more && { more }),
  });
}

/** A header of version 2 for a client with an IPv6 address, which is given with all of its digits. */
export function headerOfIpv6(address: string): Buffer {
  const source = Buffer.from(address.replaceAll(':', ''), 'hex');
  return binaryHeader({ protocol: 0x21, addresses: Buffer.concat([source, Buffer.alloc(16), Buffer.alloc(4)]) });
}

/** Additional information of version 2: its type, its length, its bytes. */
export function tlv(type: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([type, bytes.length >> 8, bytes.length & 255]), bytes]);
}
