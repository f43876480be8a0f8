import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createClientAddress } from '../../gateway/client-address.js';
import { createWorld } from '../support/world.js';

const proxy = '10.0.0.7';

function addressOf(trusted: readonly string[], peer: string, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return createClientAddress(trusted)({ socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage);
}

test('no proxy is trusted by default', () => {
  expect(addressOf([], proxy, '192.0.2.1')).toBe(proxy);
  expect(addressOf(['10.0.0.8'], proxy, '192.0.2.1')).toBe(proxy);
});

test.each([
  ['what a trusted proxy says', '192.0.2.1', '192.0.2.1'],
  ['what the last untrusted one is', '203.0.113.9, 192.0.2.1', '192.0.2.1'],
  ['what stands before a chain of trusted ones', '203.0.113.9, 192.0.2.1, 10.1.2.3,10.9.9.9', '192.0.2.1'],
  ['an IPv6 address', '2001:db8::5', '2001:db8::5'],
  ['an address with a port', '192.0.2.1:4711', '192.0.2.1'],
  ['an IPv6 address with a port', '[2001:db8::5]:4711', '2001:db8::5'],
  ['the proxy itself where it says nothing', undefined, proxy],
  ['the proxy itself where it says nothing sensible', 'unknown', proxy],
  ['the last that is an address', 'unknown, 10.1.2.3', '10.1.2.3'],
  ['the first of a chain of trusted ones only', '10.4.4.4', '10.4.4.4'],
])('the client is %s', (_what, forwarded, expected) => {
  expect(addressOf(['10.0.0.0/8'], proxy, forwarded)).toBe(expected);
});

test('addresses of IPv4 in the notation of IPv6 are the same', () => {
  expect(addressOf(['10.0.0.7', '::1', 'fd00::/8'], '::ffff:10.0.0.7', '192.0.2.1')).toBe('192.0.2.1');
  expect(addressOf(['::1'], '::1', '192.0.2.1')).toBe('192.0.2.1');
  expect(addressOf(['fd00::/8'], 'fd12::3', '192.0.2.1')).toBe('192.0.2.1');
});

test('behind a trusted proxy each client has a budget of its own, and elsewhere nobody can make one up', async () => {
  const budgets = async (trustedProxies: string[]) => {
    await using world = await createWorld({ settings: { trustedProxies } });
    const left = async (forwarded: string) => {
      const { headers } = await world.anonymous.call('GET', '/api/v1/assets', {
        headers: { 'X-Forwarded-For': forwarded },
      });
      return Number(headers['x-ratelimit-remaining']);
    };
    return [await left('192.0.2.1'), await left('192.0.2.2'), await left('203.0.113.1, 192.0.2.1')];
  };
  expect(await budgets(['127.0.0.1'])).toEqual([999_999, 999_999, 999_998]);
  expect(await budgets([])).toEqual([999_999, 999_998, 999_997]);
});
