import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/** The beginning of a connection from a proxy. */
export type ProxyHeader = {
  /** The length of the header; 0 without one. */
  headerBytes: number;
  /** The client's address; undefined if the header reports none, or without a header. */
  address: string | undefined;
};

/** Thrown for bytes that begin like a header but are not a valid one. */
export class MalformedProxyHeaderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MalformedProxyHeaderError';
  }
}

const textSignature = Buffer.from('PROXY ', 'latin1');
const binarySignature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

/** The longest line of version 1, including its end (section 2.1). */
const textBytesMax = 107;
/**
 * The longest header of version 2. The specification expects at most 536 bytes; the length field would allow 65,551.
 */
const binaryBytesMax = 4096;
/** The length of a header of version 2 before its addresses. */
const fixedBytes = 16;

const commands = { local: 0, proxy: 1 };
const highestFamily = 3;
const highestTransport = 2;
/** Address family and transport, with the lengths of one address and of all addresses and ports. */
const tcpOverIpv4 = { code: 0x11, addressBytes: 4, bytes: 12 };
const tcpOverIpv6 = { code: 0x21, addressBytes: 16, bytes: 36 };

/**
 * Returns the header of the PROXY protocol that a connection begins with, or undefined while more bytes are needed.
 * Implements versions 1 and 2 of HAProxy's specification (https://www.haproxy.org/download/3.2/doc/proxy-protocol.txt).
 * MQTT and TLS begin with other bytes than both versions. Additional information in version 2 (TLVs) is skipped.
 *
 * @param bytes all bytes received so far
 * @throws MalformedProxyHeaderError also for a header that is too long, before all of it has arrived
 */
export function parseProxyHeader(bytes: Buffer): ProxyHeader | undefined {
  if (agrees(bytes, textSignature)) return bytes.length < textSignature.length ? undefined : parseText(bytes);
  if (agrees(bytes, binarySignature)) return bytes.length < fixedBytes ? undefined : parseBinary(bytes);
  return { headerBytes: 0, address: undefined };
}

/** Returns whether bytes begin with a signature, or are the beginning of one. */
function agrees(bytes: Buffer, signature: Buffer): boolean {
  const compared = Math.min(bytes.length, signature.length);
  return bytes.compare(signature, 0, compared, 0, compared) === 0;
}

/** Parses a header of version 1 (section 2.1). */
function parseText(bytes: Buffer): ProxyHeader | undefined {
  const end = bytes.subarray(0, textBytesMax).indexOf('\r\n', 0, 'latin1');
  if (end < 0 && bytes.length < textBytesMax) return undefined;
  if (end < 0) throw new MalformedProxyHeaderError('the line is too long');
  const headerBytes = end + 2;
  const [, family, ...fields] = bytes.toString('latin1', 0, end).split(' ');
  if (family === 'UNKNOWN') return { headerBytes, address: undefined };
  const [source = '', destination = '', ...ports] = fields;
  const isAddress = family === 'TCP6' ? isIPv6 : isIPv4;
  const hasAddresses = isAddress(source) && isAddress(destination) && !`${source}${destination}`.includes('%');
  if ((family !== 'TCP4' && family !== 'TCP6') || !hasAddresses || ports.length !== 2 || !ports.every(isPort)) {
    throw new MalformedProxyHeaderError('the line is not valid');
  }
  return { headerBytes, address: canonicalAddress(source) };
}

function isPort(text: string): boolean {
  return /^(?:0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535;
}

/** Parses a header of version 2 (section 2.2). */
function parseBinary(bytes: Buffer): ProxyHeader | undefined {
  const version = bytes.readUInt8(12) >> 4;
  const command = bytes.readUInt8(12) & 15;
  const protocol = bytes.readUInt8(13);
  const addressesBytes = bytes.readUInt16BE(14);
  const headerBytes = fixedBytes + addressesBytes;
  if (version !== 2) throw new MalformedProxyHeaderError('the version is unknown');
  if (command > commands.proxy) throw new MalformedProxyHeaderError('the command is unknown');
  if (headerBytes > binaryBytesMax) throw new MalformedProxyHeaderError('the header is too long');
  const tcp = [tcpOverIpv4, tcpOverIpv6].find(({ code }) => code === protocol && command === commands.proxy);
  if (command === commands.proxy && (protocol >> 4 > highestFamily || (protocol & 15) > highestTransport)) {
    throw new MalformedProxyHeaderError('the address family or the transport is unknown');
  }
  if (tcp && addressesBytes < tcp.bytes) throw new MalformedProxyHeaderError('the addresses are cut off');
  if (bytes.length < headerBytes) return undefined;
  const source = tcp && bytes.subarray(fixedBytes, fixedBytes + tcp.addressBytes);
  return { headerBytes, address: source && formatAddress(source) };
}

function formatAddress(bytes: Buffer): string {
  if (bytes.length === tcpOverIpv4.addressBytes) return bytes.join('.');
  return canonicalAddress(bytes.toString('hex').replaceAll(/.{4}(?=.)/g, '$&:'));
}

/** Returns an address as Node writes the addresses of sockets, so that it counts as the same address everywhere. */
function canonicalAddress(address: string): string {
  return isIPv6(address) ? new SocketAddress({ address, family: 'ipv6' }).address : address;
}
