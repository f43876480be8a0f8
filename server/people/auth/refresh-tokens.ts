import { createHmac } from 'node:crypto';
import type { AuthSecret } from './secrets.js';

export type RefreshTokens = {
  /** Returns the token that follows the given one. */
  successorOf(token: string): string;
  /** Returns the tokens that can follow the given one while a signing secret is being replaced. */
  possibleSuccessorsOf(token: string): readonly string[];
};

/**
 * Derives each refresh token of a session from the previous one and the signing secret. So a request that is repeated
 * because its answer was lost gets the same successor, although the database has only hashes of tokens.
 *
 * @param secrets the first one derives new tokens
 */
export function createRefreshTokens(secrets: readonly [AuthSecret, ...AuthSecret[]]): RefreshTokens {
  const keys = secrets.map(({ bytes }) => createHmac('sha256', bytes).update('refresh token').digest());
  const [current = Buffer.alloc(0)] = keys;

  function derive(key: Buffer, token: string): string {
    return createHmac('sha256', key).update(token).digest('base64url');
  }

  return {
    successorOf: (token) => derive(current, token),
    possibleSuccessorsOf: (token) => keys.map((key) => derive(key, token)),
  };
}
