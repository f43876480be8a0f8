import { expect, it, vi } from 'vitest';
import { createSealedValues } from '../../../../server/people/auth/sealed-values.js';
import { parseAuthSecrets } from '../../../../server/people/auth/secrets.js';

const [old, next] = [
  'an old secret of the tests that is long enough',
  'a new secret of the tests that is long enough',
] as const;
const purpose = 'test';
const sealed = (secrets: string, options = { purpose }) =>
  createSealedValues<{ text: string }>({ secrets: parseAuthSecrets(secrets), ...options });
const value = { text: 'what nobody else reads' };

it('are opened by the service that sealed them, and read by nobody else', async () => {
  const text = await sealed(old).seal(value, 60);
  expect(await sealed(old).open(text)).toEqual(value);
  expect(Buffer.from(text, 'base64url').toString('latin1')).not.toContain(value.text);
  for (const part of text.split('.')) expect(Buffer.from(part, 'base64url').toString()).not.toContain('nobody');
});

it('are not opened with another secret, for another purpose, or changed', async () => {
  const text = await sealed(old).seal(value, 60);
  expect(await sealed(next).open(text)).toBeUndefined();
  expect(await sealed(old, { purpose: 'other' }).open(text)).toBeUndefined();
  const parts = text.split('.');
  const changed = [
    ...parts.slice(0, 3),
    `${parts[3]?.startsWith('A') ? 'B' : 'A'}${parts[3]?.slice(1)}`,
    parts[4],
  ].join('.');
  for (const other of [changed, undefined, '', 'a.b.c.d.e', 'x'.repeat(5000)]) {
    expect(await sealed(old).open(other)).toBeUndefined();
  }
});

it('outlive a new secret that is put in front', async () => {
  const text = await sealed(old).seal(value, 60);
  expect(await sealed(`${next},${old}`).open(text)).toEqual(value);
  const newer = await sealed(`${next},${old}`).seal(value, 60);
  expect(await sealed(old).open(newer)).toBeUndefined();
});

it('end after their time', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const text = await sealed(old).seal(value, 60);
    vi.setSystemTime(Date.now() + 59_000);
    expect(await sealed(old).open(text)).toEqual(value);
    vi.setSystemTime(Date.now() + 2000);
    expect(await sealed(old).open(text)).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
