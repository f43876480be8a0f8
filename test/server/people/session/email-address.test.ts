import { expect, it } from 'vitest';
import { parseEmail } from '../../../../server/people/session/email-address.js';

it.each([
  ['white space and capitals', ' Ada@Example.COM ', 'ada@example.com'],
  ['a tag and an apostrophe', "o'neil+x@example.com", "o'neil+x@example.com"],
  ['a host without a period', 'root@localhost', 'root@localhost'],
  ['a domain in another alphabet', 'ada@Bücher.example', 'ada@xn--bcher-kva.example'],
])('an address is stored in one form: %s', (_, text, address) => {
  expect(parseEmail(text)).toBe(address);
});

it.each([
  'x@example.com>',
  '<x>@example.com',
  '<x@example.com>',
  'Ada <ada@example.com>',
  'a,b@example.com',
  'a;b@example.com',
  'a@example.com,b@example.com',
  'a@b@example.com',
  '"a b"@example.com',
  'a(comment)@example.com',
  'a..b@example.com',
  '.a@example.com',
  'a.@example.com',
  // A Kelvin sign, whose small letter is a plain "k".
  '\u212Aen@example.com',
  'jörg@example.com',
  `${'a'.repeat(65)}@example.com`,
  'a@example.com.',
  'a@192.0.2.1',
  'a@[192.0.2.1]',
  'a@ex%61mple.com',
  'a@example.com/path',
  'a@exa_mple.com',
  'a@example.com\nBcc: b@example.com',
  'a@exam\u00ADple.com',
  'a\0@example.com',
  '@example.com',
  'a@',
  '',
])('what mail software could read as another address is rejected: %j', (text) => {
  expect(parseEmail(text)).toBeUndefined();
});
