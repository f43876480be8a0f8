import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Algorithm, hash, type Options, verify } from '@node-rs/argon2';
import { rateLimited } from '../errors.js';
import { createSemaphore, QueueFullError } from '../semaphore.js';

const argon2id = 2 as Algorithm.Argon2id;
const memoryKibibytes = 19_456;
const passes = 2;
const parallelism = 1;

/** OWASP's recommendation for argon2id: 19 MiB, two passes, parallelism 1. */
const options: Options = { algorithm: argon2id, memoryCost: memoryKibibytes, timeCost: passes, parallelism };

export type Passwords = {
  hash(password: string): Promise<string>;
  /**
   * Returns whether the password matches the hash. Without a hash it takes as long and returns false.
   *
   * @param options.isKnown whether the person has signed in with the device before: such attempts have a queue of their own
   */
  verify(passwordHash: string | undefined, password: string, options?: { isKnown: boolean }): Promise<boolean>;
};

/** No more than half the processors, so that a flood of sign-ins leaves the others to everybody else. */
const runningMaxDefault = Math.min(2, Math.ceil(availableParallelism() / 2));

/**
 * argon2id with bounds: each run takes 19 MiB and a thread of the pool shared with file access and DNS lookups, so only
 * `runningMax` run at once and `waitingMax` wait. Attempts on known devices have one run and a queue of their own, so that a
 * flood of others does not keep them waiting.
 *
 * @throws ContractError `rate_limited` if the wait queue is full
 */
export function createPasswords({ runningMax = runningMaxDefault, waitingMax = 64 } = {}): Passwords {
  const decoyHash = hashOfNobody();
  const others = createSemaphore({ runningMax, waitingMax });
  const known = createSemaphore({ runningMax: 1, waitingMax });

  async function bounded<Result>(work: () => Promise<Result>, semaphore = others): Promise<Result> {
    try {
      return await semaphore(work);
    } catch (error) {
      throw error instanceof QueueFullError ? rateLimited(1) : error;
    }
  }

  return {
    hash: (password) => bounded(() => hash(normalized(password), options)),
    async verify(passwordHash, password, { isKnown } = { isKnown: false }) {
      const semaphore = isKnown ? known : others;
      const matches = await bounded(() => verify(passwordHash ?? decoyHash, normalized(password)), semaphore);
      return matches && passwordHash !== undefined;
    },
  };
}

/** Keyboards encode accented letters differently in Unicode, so passwords are normalized. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

/** A well-formed hash with the same costs, so that an unknown address takes as long as a wrong password. */
function hashOfNobody(): string {
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  const costs = `m=${memoryKibibytes},t=${passes},p=${parallelism}`;
  return `$argon2id$v=19$${costs}$${base64(randomBytes(16))}$${base64(randomBytes(32))}`;
}
