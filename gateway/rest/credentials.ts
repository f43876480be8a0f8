import type { IncomingMessage } from 'node:http';
import { type Actor, ContractError, type Core } from '../../server/index.js';
import { addressBudgetKey, type CallerLimiter } from '../caller-limiter.js';
import type { Exchange } from '../exchange.js';
import { requireBudget } from './respond.js';

const otherCredentialHeaders = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token'];

/**
 * Returns the caller of a request. Without a valid credential, the request counts against the budget of its address.
 *
 * @param count how many requests it counts as
 * @throws ContractError `unauthorized`, or `rate_limited` if that budget is used up
 */
export async function identify(
  { core, limiter }: { core: Core; limiter: CallerLimiter },
  { request, response, clientAddress }: Exchange,
  count = 1,
): Promise<Actor> {
  try {
    return await core.identify(bearerToken(request));
  } catch (error) {
    requireBudget(response, await limiter.take(addressBudgetKey(clientAddress), count));
    throw error;
  }
}

/**
 * Returns the bearer token of a request.
 *
 * @throws ContractError `unauthorized` with what is wrong with the header (contract 6.4)
 */
function bearerToken({ headers }: IncomingMessage): string {
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
