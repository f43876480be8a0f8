import { describe, expect, it } from 'vitest';
import { MalformedProxyHeaderError, parseProxyHeader } from '../../ingest-broker/proxy-protocol/header.js';
import { binaryHeader, headerOfIpv4, headerOfIpv6, tlv } from '../support/proxy-headers.js';
import { connectPacket } from '../support/raw-mqtt.js';

const line = (text: string) => Buffer.from(`${text}\r\n`, 'latin1');
const connect = connectPacket({ clientId: 'c', username: 'u', password: 'p' });

describe('a header of the PROXY protocol', () => {
  it.each<[string, Buffer, string | undefined]>([
    ['version 1, IPv4', line('PROXY TCP4 192.0.2.7 192.0.2.1 56324 1883'), '192.0.2.7'],
    ['version 1, IPv6', line('PROXY TCP6 2001:DB8:0::7 2001:db8::1 0 65535'), '2001:db8::7'],
    ['version 1, unknown', line('PROXY UNKNOWN'), undefined],
    ['version 1, unknown with addresses', line('PROXY UNKNOWN ffff::1 ffff::2 65535 65535'), undefined],
    ['version 1, as long as allowed', line(`PROXY UNKNOWN ${'x'.repeat(91)}`), undefined],
    ['version 2, IPv4', headerOfIpv4('192.0.2.7'), '192.0.2.7'],
    ['version 2, IPv6', headerOfIpv6('2001:0db8:0000:0000:0000:0000:0000:0007'), '2001:db8::7'],
    ['version 2, IPv4 as IPv6', headerOfIpv6('0000:0000:0000:0000:0000:ffff:c000:0207'), '::ffff:192.0.2.7'],
    ['version 2, with TLVs', headerOfIpv4('192.0.2.7', tlv(0xea, Buffer.alloc(500, 7))), '192.0.2.7'],
    ['version 2, as long as allowed', headerOfIpv4('192.0.2.7', tlv(4, Buffer.alloc(4065))), '192.0.2.7'],
    ['version 2, local', binaryHeader({ command: 0, protocol: 0, addresses: Buffer.alloc(0) }), undefined],
    ['version 2, local with addresses', binaryHeader({ command: 0, protocol: 0x11, addresses: connect }), undefined],
    ['version 2, local, family ignored', binaryHeader({ command: 0, protocol: 0xff, addresses: connect }), undefined],
    ['version 2, unspecified', binaryHeader({ protocol: 0, addresses: Buffer.alloc(0) }), undefined],
    ['version 2, UDP', binaryHeader({ protocol: 0x12, addresses: Buffer.alloc(12, 1) }), undefined],
    ['version 2, Unix', binaryHeader({ protocol: 0x31, addresses: Buffer.alloc(216, 1) }), undefined],
  ])('is known when it is complete, and what follows is not part of it: %s', (_what, header, address) => {
    for (let length = 0; length < header.length; length += 1) {
      expect(parseProxyHeader(header.subarray(0, length))).toBeUndefined();
    }
    const known = { headerBytes: header.length, address };
    expect(parseProxyHeader(header)).toEqual(known);
    expect(parseProxyHeader(Buffer.concat([header, connect]))).toEqual(known);
    expect(parseProxyHeader(Buffer.concat([header, header]))).toEqual(known);
  });

  it.each<[string, Buffer]>([
    ['MQTT', connect],
    ['the first byte of MQTT', connect.subarray(0, 1)],
    ['TLS', Buffer.from([0x16, 3, 1, 2, 0])],
    ['HTTP', Buffer.from('POST / HTTP/1.1\r\n')],
    ['another word', Buffer.from('PROXYING ')],
    ['lines', Buffer.from('\r\n\r\n\r\n')],
  ])('is not seen in anything else: %s', (_what, bytes) => {
    expect(parseProxyHeader(bytes)).toEqual({ headerBytes: 0, address: undefined });
  });

  it.each<[string, Buffer]>([
    ['an unknown protocol', line('PROXY TCP5 192.0.2.7 192.0.2.1 1 2')],
    ['no protocol', line('PROXY ')],
    ['a protocol with more letters', line('PROXY UNKNOWN1')],
    ['too few fields', line('PROXY TCP4 192.0.2.7 192.0.2.1 1')],
    ['too many fields', line('PROXY TCP4 192.0.2.7 192.0.2.1 1 2 3')],
    ['two spaces', line('PROXY TCP4  192.0.2.7 192.0.2.1 1 2')],
    ['an address of the other family', line('PROXY TCP4 2001:db8::7 192.0.2.1 1 2')],
    ['addresses of the other family', line('PROXY TCP6 192.0.2.7 192.0.2.1 1 2')],
    ['an address with a leading zero', line('PROXY TCP4 192.0.2.07 192.0.2.1 1 2')],
    ['an address with a zone', line('PROXY TCP6 fe80::1%eth0 fe80::2 1 2')],
    ['a name', line('PROXY TCP4 reader.example 192.0.2.1 1 2')],
    ['a wrong destination', line('PROXY TCP4 192.0.2.7 nowhere 1 2')],
    ['a port above 65,535', line('PROXY TCP4 192.0.2.7 192.0.2.1 65536 2')],
    ['a port with a leading zero', line('PROXY TCP4 192.0.2.7 192.0.2.1 01 2')],
    ['a port that is no number', line('PROXY TCP4 192.0.2.7 192.0.2.1 x 2')],
    ['a line that ends with LF alone', line('PROXY TCP4 192.0.2.7 192.0.2.1 1 2\n')],
    ['a line without end', Buffer.from(`PROXY UNKNOWN ${'x'.repeat(93)}`)],
    ['a line that is one byte too long', line(`PROXY UNKNOWN ${'x'.repeat(92)}`)],
    ['version 1 in binary', binaryHeader({ version: 1, protocol: 0x11, addresses: Buffer.alloc(12) })],
    ['version 3', binaryHeader({ version: 3, protocol: 0x11, addresses: Buffer.alloc(12) })],
    ['an unknown command', binaryHeader({ command: 2, protocol: 0x11, addresses: Buffer.alloc(12) })],
    ['an unknown family', binaryHeader({ protocol: 0x41, addresses: Buffer.alloc(12) })],
    ['an unknown transport', binaryHeader({ protocol: 0x13, addresses: Buffer.alloc(12) })],
    ['IPv4 addresses that are cut off', binaryHeader({ protocol: 0x11, addresses: Buffer.alloc(11) })],
    ['IPv6 addresses that are cut off', binaryHeader({ protocol: 0x21, addresses: Buffer.alloc(35) })],
    ['TLVs beyond the maximum', headerOfIpv4('192.0.2.7', tlv(4, Buffer.alloc(4066))).subarray(0, 16)],
    ['the greatest length', headerOfIpv4('192.0.2.7', tlv(4, Buffer.alloc(65_500))).subarray(0, 16)],
  ])('is rejected: %s', (_what, bytes) => {
    expect(() => parseProxyHeader(bytes)).toThrow(MalformedProxyHeaderError);
  });
});
