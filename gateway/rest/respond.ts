import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ContractError, errorTable, type FieldError, generalFaultDetail, type Log } from '../../server/index.js';
import type { Exchange } from '../exchange.js';
import type { Budget } from '../rate-limit.js';

/** The data that every answer of a request contains. */
export type Reply = { response: ServerResponse; requestId: string; instance: string; namesReasons?: true };

/** Sends a value as JSON. */
export function sendJson(reply: Reply, status: number, value: unknown): void {
  sendText(reply, status, JSON.stringify(value));
}

/**
 * Sends a text of JSON; Node omits the body if the request is a HEAD. A string body goes out in one write with the
 * head, which is faster. If the body is not plain ASCII, that write would encode the head as UTF-8 as well and change a request id
 * that is not ASCII, so head and body are then sent separately.
 */
export function sendText({ response, requestId }: Reply, status: number, text: string): void {
  const bytes = Buffer.byteLength(text);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', bytes);
  if (bytes === text.length) response.end(text, 'latin1');
  else response.end(isAscii(requestId) ? text : Buffer.from(text));
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** Returns the error envelope (contract 7.1). */
export function errorEnvelope(
  error: ContractError,
  { instance, requestId, namesReasons }: Pick<Reply, 'instance' | 'requestId' | 'namesReasons'>,
) {
  const { status, title } = errorTable[error.type];
  return {
    error: {
      type: error.type,
      title,
      status,
      detail: error.type === 'internal_error' ? generalFaultDetail : error.message,
      instance,
      request_id: requestId,
      ...(error.fields ? { fields: namesReasons ? error.fields : error.fields.map(withoutReason) } : {}),
      ...(namesReasons && error.reason ? { reason: error.reason } : {}),
    },
  };
}

function withoutReason({ reason: _reason, ...entry }: FieldError): FieldError {
  return entry;
}

/** The header `WWW-Authenticate` of a 401 (contract 1.4). */
export const bearerChallenge = 'Bearer realm="service-api"';

/** Sends the error envelope with the headers of its status. */
export function sendError(reply: Reply, error: ContractError): void {
  const { status } = errorTable[error.type];
  const { response } = reply;
  if (status === 401) response.setHeader('WWW-Authenticate', bearerChallenge);
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', error.retryAfterSeconds);
  if (error.related) response.setHeader('Link', `</api/v1/${error.related.kind}s/${error.related.id}>; rel="related"`);
  sendJson(reply, status, errorEnvelope(error, reply));
}

/** Sets the three rate-limit headers of every public answer (contract 9.2). */
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

/** Ends a failed request: logs faults of the service, and sends the error if nothing was sent before. */
export async function sendFailure(exchange: Exchange, error: ContractError, log: Log): Promise<void> {
  const { request, response, requestId } = exchange;
  if (error.type === 'internal_error')
    log.error({ err: error.cause ?? error, request_id: requestId }, 'request failed');
  else if (error.type === 'service_unavailable' && error.cause) {
    log.warn({ err: error.cause, request_id: requestId }, 'request rejected: the database is busy or unavailable');
  }
  if (response.headersSent || response.destroyed) {
    // After a request whose body has been read, the connection would stay open.
    response.destroy();
    return;
  }
  // A body that came with the head has been read after this turn, and the connection can stay open.
  if (!request.complete) await nextTurn();
  sendError(exchange, error);
}
