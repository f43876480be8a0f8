import type { IncomingMessage } from 'node:http';
import { ContractError } from '../../server/index.js';

const otherCredentialHeaders = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token'];

/**
 * Returns the bearer token of a request.
 *
 * @throws ContractError `unauthorized` saying what is wrong with the header (contract 6.4)
 */
export function bearerToken({ headers }: IncomingMessage): string {
  const header = headers.authorization;
  if (header === undefined) {
    const elsewhere = otherCredentialHeaders.some((name) => headers[name] !== undefined);
    throw new ContractError(
      'unauthorized',
      elsewhere ? 'Use Authorization: Bearer <token>' : 'Missing authorization header',
    );
  }
  const token = /^bearer +(\S+)$/i.exec(header)?.[1];
  if (token === undefined) throw new ContractError('unauthorized', 'Invalid authorization header format');
  return token;
}
