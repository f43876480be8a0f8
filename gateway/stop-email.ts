import type { Core } from '../server/index.js';
import type { Admission } from './admission.js';
import { anonymousBounds, readBody } from './http-body.js';
import type { Route } from './routes.js';

/** Mail programs send `List-Unsubscribe=One-Click`. */
const bodyBytesMax = 4096;

/**
 * Creates the route `POST /stop-email?token=…`, by which mail programs stop the emails of a list with one click (RFC
 * 8058): without a credential, a cookie or a redirect. A GET request opens the page of the app, which asks first.
 */
export function stopEmailRoute({ core, admission }: { core: Core; admission: Admission }): Route {
  return {
    method: 'POST',
    path: '/stop-email',
    async answer(exchange) {
      const { request, response, requestId, clientAddress, rawQuery } = exchange;
      response.setHeader('Cache-Control', 'no-store');
      response.setHeader('X-Content-Type-Options', 'nosniff');
      await admission.anybody(exchange);
      await readBody(request, { ...anonymousBounds(bodyBytesMax), beforeRead: exchange.sendContinue });
      const token = new URLSearchParams(rawQuery).get('token') ?? '';
      const context = core.contextFor({ actor: { kind: 'none' }, requestId, clientAddress });
      await core.router.createCaller(context).scheduledEmails.stop({ token });
      response.end();
    },
  };
}
