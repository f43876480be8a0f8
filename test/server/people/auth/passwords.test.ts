import { describe, expect, it } from 'vitest';
import { createPasswords } from '../../../../server/people/auth/passwords.js';

const here = { clientAddress: '192.0.2.1' };

describe('passwords', () => {
  it('are hashed with argon2id, 19 MiB, two passes, one lane', async () => {
    const hash = await createPasswords().hash('correct horse', here);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(hash).not.toContain('correct');
  });

  it('are known again, however their accents are spelled', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash('caf\u00e9 au lait', here);
    expect(await passwords.verify(hash, 'cafe\u0301 au lait', here)).toBe(true);
    expect(await passwords.verify(hash, 'cafe au lait', here)).toBe(false);
  });

  it('of unknown people never match', async () => {
    const passwords = createPasswords();
    expect(await passwords.verify(undefined, 'anything at all', here)).toBe(false);
  });

  it('wait in bounded number; further ones are rejected with a delay of a second', async () => {
    const passwords = createPasswords({ runningMax: 1, waitingMax: 2 });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => passwords.hash('correct horse', here)));
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
    expect(await passwords.hash('after the flood', here)).toContain('argon2id');
  });

  it('on known devices do not wait behind others', async () => {
    const passwords = createPasswords({ runningMax: 1, waitingMax: 2 });
    const hash = await passwords.hash('correct horse', here);
    const flood = Promise.allSettled(Array.from({ length: 5 }, () => passwords.verify(undefined, 'guess', here)));
    expect(await passwords.verify(hash, 'correct horse', { ...here, isKnown: true })).toBe(true);
    const outcomes = (await flood).map(({ status }) => status);
    expect(outcomes.filter((status) => status === 'rejected')).toHaveLength(2);
  });

  it('of one network neither delay nor displace attempts of another network', async () => {
    const passwords = createPasswords({ runningMax: 1, waitingMax: 6, waitingPerLineMax: 4 });
    const hash = await passwords.hash('correct horse', here);
    const refused: string[] = [];
    const guessFrom = (clientAddress: string) =>
      Array.from({ length: 20 }, () =>
        passwords.verify(undefined, 'guess', { clientAddress }).catch(() => void refused.push(clientAddress)),
      );
    const flood = ['198.51.100.1', '2001:db8::1', '2001:db8:0:1::1'].flatMap(guessFrom);
    let waited = 0;
    for (const guess of flood) void guess.then((outcome) => (waited += outcome === false ? 1 : 0));
    expect(await passwords.verify(hash, 'correct horse', here)).toBe(true);
    expect(waited).toBeLessThanOrEqual(3);
    await Promise.all(flood);
    expect(refused).toHaveLength(54);
  });
});
