import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Algorithm, hash, type Options, verify } from '@node-rs/argon2';
import { networksOf } from '../../kernel/client-networks.js';
import { rateLimited } from '../../kernel/errors.js';
import { createFairSemaphore } from '../../kernel/fair-semaphore.js';
import { QueueFullError } from '../../kernel/semaphore.js';

const argon2id = 2 as Algorithm.Argon2id;
const memoryKibibytes = 19_456;
const passes = 2;
const parallelism = 1;

/** OWASP's recommendation for argon2id: 19 MiB, two passes, parallelism 1. */
const options: Options = { algorithm: argon2id, memoryCost: memoryKibibytes, timeCost: passes, parallelism };

/** Where a password comes from. */
export type PasswordOrigin = {
  clientAddress: string;
  /** Whether the person is signed in, or has signed in with the device before: such attempts have a queue of their own. */
  isKnown?: boolean;
};

export type Passwords = {
  hash(password: string, origin: PasswordOrigin): Promise<string>;
  /** Returns whether the password matches the hash. Without a hash it takes the same time and returns false. */
  verify(passwordHash: string | undefined, password: string, origin: PasswordOrigin): Promise<boolean>;
};

/** At most half of the processors, so that a flood of sign-ins leaves the others for everything else. */
const runningMaxDefault = Math.min(2, Math.ceil(availableParallelism() / 2));
/** How many attempts can wait: in total, and from one IPv4 address or IPv6 /64. */
const waitingDefaults = { waitingMax: 256, waitingPerLineMax: 64 };

export type PasswordLimits = { runningMax?: number; waitingMax?: number; waitingPerLineMax?: number };

/**
 * Creates argon2id with bounds: each run takes 19 MiB and a thread of the pool shared with file access and DNS lookups,
 * so only `runningMax` run at once. Attempts on known devices have one run and a queue of their own, so that a flood of
 * other attempts does not delay them. In both queues networks take turns.
 *
 * @throws ContractError `rate_limited` if the wait queue, or the wait queue of the network, is full
 */
export function createPasswords(limits: PasswordLimits = {}): Passwords {
  const decoyHash = hashOfNobody();
  const { runningMax = runningMaxDefault, ...waiting } = { ...waitingDefaults, ...limits };
  const others = createFairSemaphore({ ...waiting, runningMax });
  const known = createFairSemaphore({ ...waiting, runningMax: 1 });

  async function bounded<Result>(
    { clientAddress, isKnown }: PasswordOrigin,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await (isKnown ? known : others)(networksOf(clientAddress).toReversed(), work);
    } catch (error) {
      throw error instanceof QueueFullError ? rateLimited(1) : error;
    }
  }

  return {
    hash: (password, origin) => bounded(origin, () => hash(normalized(password), options)),
    async verify(passwordHash, password, origin) {
      const matches = await bounded(origin, () => verify(passwordHash ?? decoyHash, normalized(password)));
      return matches && passwordHash !== undefined;
    },
  };
}

/** Normalizes a password, as keyboards encode accented letters differently in Unicode. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

/**
 * Returns a well-formed hash with the same costs, so that an unknown address takes the same time as a wrong password.
 */
function hashOfNobody(): string {
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  const costs = `m=${memoryKibibytes},t=${passes},p=${parallelism}`;
  return `$argon2id$v=19$${costs}$${base64(randomBytes(16))}$${base64(randomBytes(32))}`;
}
