import { contractErrorOf, type Core, type Log } from '../server/index.js';
import { addressBudgetKey, type CallerLimiter } from './caller-limiter.js';
import type { Exchange } from './exchange.js';
import { anonymousBounds, BodyAbortedError, readBody } from './http-body.js';
import { requireBudget, sendFailure } from './rest/respond.js';

const path = '/stop-email';
/** Mail programs send `List-Unsubscribe=One-Click`. */
const bodyBytesMax = 4096;

export type StopEmailOptions = { core: Core; limiter: CallerLimiter; log: Log };

/**
 * Serves `POST /stop-email?token=…`, by which mail programs stop the emails of a list with one click (RFC 8058): without
 * a credential, a cookie or a redirect. Returns false for other requests; a GET request opens the page of the app, which
 * asks first.
 */
export function createStopEmailHandler({ core, limiter, log }: StopEmailOptions): (exchange: Exchange) => boolean {
  async function stop(exchange: Exchange): Promise<void> {
    const { request, response, requestId, clientAddress, rawQuery } = exchange;
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    try {
      requireBudget(response, await limiter.take(addressBudgetKey(clientAddress)));
      await readBody(request, { ...anonymousBounds(bodyBytesMax), beforeRead: exchange.sendContinue });
      const token = new URLSearchParams(rawQuery).get('token') ?? '';
      const context = core.contextFor({ actor: { kind: 'none' }, requestId, clientAddress });
      await core.router.createCaller(context).scheduledEmails.stop({ token });
      response.end();
    } catch (error) {
      if (error instanceof BodyAbortedError) return;
      await sendFailure(exchange, contractErrorOf(error), log);
    }
  }

  return (exchange) => {
    if (exchange.instance !== path || exchange.request.method !== 'POST') return false;
    exchange.route = path;
    void stop(exchange);
    return true;
  };
}
