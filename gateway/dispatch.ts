import { contractErrorOf, type Log } from '../server/index.js';
import type { Admission } from './admission.js';
import { earlyRejectionOf, methodRejection, type Rejection, unknownPath } from './early-rejections.js';
import type { Exchange } from './exchange.js';
import { BodyAbortedError } from './http-body.js';
import { sendError, sendFailure } from './rest/respond.js';
import type { MatchRoutes } from './routes.js';

export type DispatchOptions = {
  match: MatchRoutes;
  /** Answer with a file or a page if they have one for the path of a GET request, and return false otherwise. */
  files: readonly ((exchange: Exchange) => boolean)[];
  admission: Admission;
  log: Log;
};

/**
 * Returns the function that answers every request: by the route of its path and method, by a file, or with 404 or 405,
 * which come before credentials (contract 8).
 */
export function createDispatch({ match, files, admission, log }: DispatchOptions): (exchange: Exchange) => void {
  return (exchange) => {
    const rejection = earlyRejectionOf(exchange, match);
    if (rejection) {
      void reject(exchange, rejection);
      return;
    }
    const found = match(exchange.instance);
    const { method = '' } = exchange.request;
    const route = found?.routes.get(method === 'HEAD' ? 'GET' : method);
    if (found && route) {
      exchange.route = route.path;
      exchange.pathParameters = found.parameters;
      void route.answer(exchange).catch((error: unknown) => fail(exchange, error));
      return;
    }
    if (files.some((answer) => answer(exchange))) return;
    void reject(exchange, found ? methodRejection(found.allow) : unknownPath(exchange.instance));
  };

  async function reject(exchange: Exchange, { error, allow }: Rejection): Promise<void> {
    try {
      await admission.count(exchange);
      if (allow !== undefined) exchange.response.setHeader('Allow', allow);
      sendError(exchange, error);
    } catch (fault) {
      await fail(exchange, fault);
    }
  }

  async function fail(exchange: Exchange, error: unknown): Promise<void> {
    if (error instanceof BodyAbortedError) return;
    await sendFailure(exchange, contractErrorOf(error, exchange.operation), log);
  }
}
