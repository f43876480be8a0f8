import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ulid } from 'ulid';
import { ContractError, errorTable } from '../server/index.js';
import { addressBudgetKey } from './caller-limiter.js';
import { createClientErrorListener, type RawAnswer, sendRawAnswer } from './client-error.js';
import { connectRejection, unknownMethodRejection } from './early-rejections.js';
import type { RateLimiter } from './rate-limit.js';
import { budgetHeaders, errorEnvelope } from './rest/respond.js';
import type { MatchRoutes } from './routes.js';

export type RawAnswerOptions = {
  limiter: RateLimiter;
  now: () => number;
  requestIdOf: (request: IncomingMessage) => string;
  isEnding: (socket: Socket) => boolean;
  isHeldBack: (socket: Socket) => boolean;
  match: MatchRoutes;
};

type Fault = { error: ContractError; allow?: string; instance: string; requestId: string; address: string };

/**
 * Returns listeners for cases without a response object: bytes that are not an HTTP request, and CONNECT. Both get the
 * error envelope and are counted by client address, like every public request.
 */
export function createRawAnswers({ limiter, now, requestIdOf, isEnding, isHeldBack, match }: RawAnswerOptions): {
  onClientError: (error: Error, socket: Socket) => void;
  onConnect: (request: IncomingMessage, socket: Socket) => void;
} {
  async function render({ error, allow, instance, requestId, address }: Fault): Promise<RawAnswer> {
    const { status, title } = errorTable[error.type];
    return {
      statusLine: `${status} ${title}`,
      headers: {
        'Content-Type': 'application/json',
        'X-Request-ID': requestId,
        ...(allow !== undefined && { Allow: allow }),
        ...budgetHeaders(await limiter.take(addressBudgetKey(address))),
      },
      body: Buffer.from(JSON.stringify(errorEnvelope(error, { instance, requestId }))),
    };
  }

  return {
    onClientError: createClientErrorListener({
      isEnding,
      isHeldBack,
      answer: ({ detail, path, address, isUnknownMethod, requestId }) =>
        render({
          ...(isUnknownMethod
            ? unknownMethodRejection(path, match)
            : { error: new ContractError('bad_request', detail) }),
          instance: path,
          requestId: requestId ?? ulid(now()),
          address,
        }),
    }),
    onConnect(request, socket) {
      if (isEnding(socket)) {
        socket.destroy();
        return;
      }
      const address = socket.remoteAddress ?? '';
      const rejection = connectRejection(request.url ?? '', match);
      const fault = { ...rejection, requestId: requestIdOf(request), address };
      void sendRawAnswer(socket, render(fault));
    },
  };
}
