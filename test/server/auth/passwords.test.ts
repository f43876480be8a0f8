import { describe, expect, it } from 'vitest';
import { createPasswords } from '../../../server/auth/passwords.js';

describe('passwords', () => {
  it('are hashed with argon2id, 19 MiB, two passes, one lane', async () => {
    const hash = await createPasswords().hash('correct horse');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(hash).not.toContain('correct');
  });

  it('are known again, however their accents are spelled', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash('caf\u00e9 au lait');
    expect(await passwords.verify(hash, 'cafe\u0301 au lait')).toBe(true);
    expect(await passwords.verify(hash, 'cafe au lait')).toBe(false);
  });

  it('of nobody never match', async () => {
    const passwords = createPasswords();
    expect(await passwords.verify(undefined, 'anything at all')).toBe(false);
  });

  it('wait in bounded number; further ones are rejected with a delay of a second', async () => {
    const passwords = createPasswords({ runningMax: 1, waitingMax: 2 });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => passwords.hash('correct horse')));
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(results[4]).toMatchObject({
      reason: { type: 'rate_limited', message: 'Retry after 1 seconds', retryAfterSeconds: 1 },
    });
    expect(await passwords.hash('after the flood')).toContain('argon2id');
  });

  it('on known devices do not wait behind others', async () => {
    const passwords = createPasswords({ runningMax: 1, waitingMax: 2 });
    const hash = await passwords.hash('correct horse');
    const flood = Promise.allSettled(Array.from({ length: 5 }, () => passwords.verify(undefined, 'guess')));
    expect(await passwords.verify(hash, 'correct horse', { isKnown: true })).toBe(true);
    const outcomes = (await flood).map(({ status }) => status);
    expect(outcomes.filter((status) => status === 'rejected')).toHaveLength(2);
  });
});
