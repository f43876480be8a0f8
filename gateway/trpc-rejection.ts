import { getTRPCErrorShape } from '@trpc/server';
import { type ContractError, type Core, errorTable } from '../server/index.js';
import type { Exchange } from './exchange.js';
import { bearerChallenge, sendJson } from './rest/respond.js';

/**
 * Returns whether one error can reject all calls of a request. tRPC handles faults of the service, and logs each of
 * them. tRPC also handles subscriptions, whose clients read an error only from a stream of events.
 */
export function canReject({ request }: Exchange, error: unknown): error is ContractError {
  if (request.headers.accept?.includes('text/event-stream')) return false;
  const type = (error as Partial<ContractError>).type;
  return type !== undefined && errorTable[type].status < 500;
}

/**
 * Rejects all calls of a request before any is made, with one error in tRPC's form. The clients of tRPC take it for the
 * result of every call. tRPC would first create a request, a context and an error for each call, which is too much for
 * attackers who are rejected again and again.
 */
export function rejectCalls(exchange: Exchange, { router }: Core, error: ContractError): void {
  const { response } = exchange;
  const { _config: config } = router._def;
  const shape = getTRPCErrorShape({
    config,
    error,
    type: 'unknown',
    path: undefined,
    input: undefined,
    ctx: undefined,
  });
  if (error.type === 'unauthorized') response.setHeader('WWW-Authenticate', bearerChallenge);
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', error.retryAfterSeconds);
  sendJson(exchange, errorTable[error.type].status, { error: shape });
}
