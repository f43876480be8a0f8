import type { Socket } from 'node:net';
import { ulid } from 'ulid';
import { ContractError, errorTable } from '../server/index.js';
import { type ClientFault, type ClientFaultAnswer, createClientErrorListener } from './client-error.js';
import type { RateLimiter } from './rate-limit.js';
import { budgetHeaders, errorEnvelope } from './rest/respond.js';

/** Answers bytes that are no HTTP request in the contract's words, counted by client address like every public answer. */
export function createMalformedHttpListener({
  limiter,
  now,
}: {
  limiter: RateLimiter;
  now: () => number;
}): (error: Error, socket: Socket) => void {
  async function answer(fault: ClientFault): Promise<ClientFaultAnswer> {
    const requestId = ulid(now());
    const error = new ContractError('bad_request', fault.detail);
    const { status, title } = errorTable[error.type];
    return {
      statusLine: `${status} ${title}`,
      headers: {
        'Content-Type': 'application/json',
        'X-Request-ID': requestId,
        ...budgetHeaders(await limiter.take(`address:${fault.address}`)),
      },
      body: Buffer.from(JSON.stringify(errorEnvelope(error, { instance: fault.path, requestId }))),
    };
  }
  return createClientErrorListener(answer);
}
