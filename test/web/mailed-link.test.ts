import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { EncryptJWT } from 'jose';
import { expect, test } from 'vitest';
import { mailedLinkOf, repairedAddress } from '../../web/session/mailed-link.js';

const token = 'aZ9-_bY8cX7dW6eV5fU4gT3hS2iR1jQ0kP-lO_mN4nM';
const changed = readFileSync(new URL('../regression/inputs/changed-links.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '');

/** Returns the address that a browser opens for a link. */
function opened(link: string): string {
  const { pathname, search, hash } = new URL(link, 'https://whereabouts.example.com');
  return `${pathname}${search}${hash}`;
}

test.each(changed.filter((link) => link.includes('TOKEN')))('the link %s works', (link) => {
  const [, page] = /^\/([a-z-]+)/.exec(link) ?? [];
  expect(repairedAddress(opened(link.replace('TOKEN', token)))).toBe(`/${page}#${token}`);
});

test.each([
  ['as sent', '#TOKEN'],
  ['with an encoded #, twice', '%2523TOKEN'],
  ['with parameters before the fragment', '?utm_source=mail#TOKEN'],
  ['with parameters behind an HTML entity', '#TOKEN&amp;utm_campaign=x'],
  ['with a slash before the fragment', '/#TOKEN'],
  ['with the # as an HTML entity', '&#35;TOKEN'],
  ['with the # in quoted-printable form', '=23TOKEN'],
  ['with =3D before the token', '#=3DTOKEN'],
  ['with a parameter name in quoted-printable form', '#token=3DTOKEN'],
  ['with the period of a sentence', '#TOKEN.'],
  ['in angle brackets', '#TOKEN%3E'],
  ['in angle brackets as entities', '#TOKEN&gt;'],
  ['in parentheses', '#TOKEN).'],
  ['in quotes', '#TOKEN%22'],
  ['in the underscores of a markup', '#TOKEN_'],
  ['with a line break', '#BEGIN%0D%0AREST'],
  ['with spaces', '#BEGIN%20REST%20'],
  ['with a soft line break', '#BEGIN=%0D%0AREST'],
  ['with what a soft line break leaves', '#BEGIN=REST'],
  ['with an invisible character', '#BEGIN\u200BREST'],
])('a link %s works', (_kind, form) => {
  const [begin, rest] = [token.slice(0, 21), token.slice(21)];
  const suffix = form.replace('TOKEN', token).replace('BEGIN', begin).replace('REST', rest);
  for (const page of ['join', 'reset-password']) {
    expect(mailedLinkOf(opened(`/${page}${suffix}`)), suffix).toEqual({ page, token });
  }
  expect(mailedLinkOf(opened(`/JOIN${suffix}`))).toEqual({ page: 'join', token });
});

test.each([
  ...changed.filter((link) => !link.includes('TOKEN')),
  `/join#${token.slice(0, -1)}`,
  `/join#${token.slice(0, 20)}`,
  `/join%23${token.slice(0, 30)}...`,
  `/join#${token.toLowerCase()}`,
  `/reset-password#${token.toUpperCase()}`,
  '/reset-password#',
  `/confirm#${token}`,
])('the link %s is incomplete', (link) => {
  expect(mailedLinkOf(opened(link))?.token).toBeNull();
});

test('a link that confirms an address works unless it is cut', async () => {
  const sealed = await new EncryptJWT({ value: { userId: 7 } })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: 'a' })
    .encrypt(randomBytes(32));
  for (const suffix of [
    `#${sealed}`,
    `%23${sealed}`,
    `#${sealed}.`,
    `#${sealed}?utm_source=mail`,
    `#=3D${sealed}%3E`,
  ]) {
    expect(mailedLinkOf(opened(`/confirm${suffix}`)), suffix).toEqual({ page: 'confirm', token: sealed });
  }
  expect(mailedLinkOf(`/confirm#${sealed.slice(0, -1)}`)?.token).toBeNull();
  expect(mailedLinkOf(`/confirm#${sealed.slice(0, 76)}`)?.token).toBeNull();
});

test('other addresses stay as they are', () => {
  for (const address of ['/', '/joined', '/confirmations#x', '/assets?q=join%23x', '/reset-passwords']) {
    expect(repairedAddress(address)).toBeUndefined();
  }
});
