import type { ServerResponse } from 'node:http';
import { type ContractError, errorTable, generalFaultDetail } from '../../server/index.js';
import type { Budget } from '../rate-limit.js';

/** What every answer of a request carries or quotes. */
export type Reply = { response: ServerResponse; requestId: string; instance: string };

/**
 * Sends JSON; Node leaves the body out where the request is a HEAD. A text goes out in one piece with the head, which is
 * the faster way, but would bend a request id that is not plain ASCII.
 */
export function sendJson({ response, requestId }: Reply, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(isAscii(requestId) ? text : Buffer.from(text));
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** The error envelope of spec §7. */
export function errorEnvelope(error: ContractError, { instance, requestId }: Pick<Reply, 'instance' | 'requestId'>) {
  const { status, title } = errorTable[error.type];
  return {
    error: {
      type: error.type,
      title,
      status,
      detail: error.type === 'internal_error' ? generalFaultDetail : error.message,
      instance,
      request_id: requestId,
      ...(error.fields ? { fields: error.fields } : {}),
    },
  };
}

/** Sends the error envelope with the headers that belong to the status. */
export function sendError(reply: Reply, error: ContractError): void {
  const { status } = errorTable[error.type];
  const { response } = reply;
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer realm="service-api"');
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', error.retryAfterSeconds);
  sendJson(reply, status, errorEnvelope(error, reply));
}

/** The three rate-limit headers of every public answer (spec §8). */
export function setBudgetHeaders(response: ServerResponse, budget: Budget): void {
  for (const [name, value] of Object.entries(budgetHeaders(budget))) response.setHeader(name, value);
}

export function budgetHeaders(budget: Budget): Record<string, number> {
  return {
    'X-RateLimit-Limit': budget.limit,
    'X-RateLimit-Remaining': budget.remaining,
    'X-RateLimit-Reset': budget.resetAtSeconds,
  };
}
