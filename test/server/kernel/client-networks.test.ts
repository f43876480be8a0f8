import { expect, test } from 'vitest';
import { networksOf } from '../../../server/kernel/client-networks.js';
import { createConnectionCounts } from '../../../server/kernel/connection-counts.js';

test.each([
  ['192.0.2.7', ['192.0.2.7']],
  ['::ffff:192.0.2.7', ['192.0.2.7']],
  ['2001:DB8:0:1:0:0:0:7', ['2001:db8:0:1::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
  ['2001:db8:1:abcd::7', ['2001:db8:1:abcd::/64', '2001:db8:1:ab00::/56', '2001:db8:1::/48']],
  ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']],
  ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48']],
  ['', ['']],
  ['not an address', ['not an address']],
])('%s is counted under %j', (address, networks) => {
  expect(networksOf(address)).toStrictEqual(networks);
});

test('an address can have a number of connections; when one closes, another is accepted', () => {
  const counts = createConnectionCounts({ perAddressMax: 2 });
  const first = counts.take('192.0.2.7');
  expect(counts.take('::ffff:192.0.2.7')).toBeDefined();
  expect(counts.take('192.0.2.7')).toBeUndefined();
  expect(counts.take('192.0.2.8')).toBeDefined();
  first?.();
  expect(counts.take('192.0.2.7')).toBeDefined();
  expect(counts.take('192.0.2.7')).toBeUndefined();
});

test('the networks around an IPv6 address are bounded too', () => {
  const counts = createConnectionCounts({ perAddressMax: 2 });
  const opened = (addresses: readonly string[]) => addresses.filter((address) => counts.take(address)).length;
  expect(opened(Array.from({ length: 9 }, (_, at) => `2001:db8:1:1::${at}`))).toBe(2);
  expect(opened(Array.from({ length: 9 }, (_, at) => `2001:db8:1:${at + 2}::1`))).toBe(2);
  expect(opened(Array.from({ length: 9 }, (_, at) => `2001:db8:1:${at + 1}00::1`))).toBe(4);
  expect(opened(['2001:db8:2::1'])).toBe(1);
});
