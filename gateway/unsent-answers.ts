import type { ServerResponse } from 'node:http';
import { type Actor, ContractError, serviceUnavailable } from '../server/index.js';

/** Memory of the answers of one organization that its clients have not read yet, in bytes. */
const unsentBytesMax = 67_108_864;

/**
 * What one call of a request to `/trpc` can return, and several calls together, in bytes. tRPC serializes an answer in
 * one go.
 */
const callBytesMax = 16_777_216;
const callsBytesMax = 2_097_152;

/** A smaller answer is not counted. */
const countedBytesMin = 65_536;

const retryAfterSeconds = 1;

const tooLarge = 'The answer is too large; request less, or make fewer calls at once';

/** Counts the answers of organizations that are in memory until their clients have read them. */
export type UnsentAnswers = {
  /**
   * @throws ContractError `service_unavailable` while the unsent answers of the caller's organization take too much
   * memory
   */
  requireSpace(caller: Actor): void;
  /** Counts at least this many bytes for an answer until it has been sent, unless it is small. */
  hold(caller: Actor, response: ServerResponse, bytes: number): void;
  /**
   * Returns a function that counts the bytes that the calls of a request return.
   *
   * @throws ContractError from the function: `bad_request` if that is too much, `service_unavailable` like `requireSpace`
   */
  reserveFor(caller: Actor, response: ServerResponse): (bytes: number) => void;
};

/**
 * Creates the counts. Without them, one organization could fill the process with answers that nobody reads. Only
 * organizations with large unsent answers have a count.
 */
export function createUnsentAnswers(): UnsentAnswers {
  const organizations = new Map<number, Map<ServerResponse, number>>();

  function hold(caller: Actor, response: ServerResponse, bytes: number): void {
    const orgId = orgIdOf(caller);
    if (orgId === null || response.closed) return;
    const held = organizations.get(orgId);
    if (held?.has(response)) {
      held.set(response, bytes);
      return;
    }
    if (Math.max(bytes, response.writableLength) < countedBytesMin) return;
    const answers = held ?? new Map<ServerResponse, number>();
    organizations.set(orgId, answers.set(response, bytes));
    response.once('close', () => {
      answers.delete(response);
      if (answers.size === 0) organizations.delete(orgId);
    });
  }

  function requireSpace(caller: Actor): void {
    const held = organizations.get(orgIdOf(caller) ?? 0);
    if (!held) return;
    let sum = 0;
    for (const [response, bytes] of held) sum += Math.max(bytes, response.writableLength);
    if (sum < unsentBytesMax) return;
    throw serviceUnavailable('Too many answers to this organization have not been read', retryAfterSeconds);
  }

  return {
    requireSpace,
    hold,
    reserveFor(caller, response) {
      let reserved = 0;
      return (bytes) => {
        if (bytes >= countedBytesMin) {
          if (reserved + bytes > (reserved === 0 ? callBytesMax : callsBytesMax))
            throw new ContractError('bad_request', tooLarge);
          requireSpace(caller);
        }
        reserved += bytes;
        hold(caller, response, reserved);
      };
    },
  };
}

function orgIdOf(caller: Actor): number | null {
  return caller.kind === 'none' ? null : caller.orgId;
}
