import { createExpressMiddleware } from '@trpc/server/adapters/express';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, RequestHandler, Response } from 'express';
import {
  type Actor,
  type Core,
  contractErrorOf,
  type DeviceCookie,
  type Log,
  type RefreshCookie,
} from '../server/index.js';
import type { Exchange } from './exchange.js';
import type { OpenStreams } from './open-streams.js';
import { bearerToken } from './rest/credentials.js';

const cookieName = 'whereabouts_refresh';
const deviceCookieName = 'whereabouts_device';
/** The longest that browsers keep a cookie; it is prolonged with each renewal of a session. */
const deviceCookieSeconds = 400 * 86_400;

export type TrpcDoorOptions = {
  core: Core;
  log: Log;
  /** Whether browsers reach the service over HTTPS only. */
  secureCookies: boolean;
  bodyBytesMax: number;
  streams: OpenStreams;
  exchangeOf: (response: Response) => Exchange;
};

/**
 * `/trpc`: the app's door to the same procedures, with a session token or none, and the refresh token's cookie.
 * Subscriptions are answered by a stream of server-sent events. What refuses one, a bad token too, is its first event under
 * status 200: clients read why from there, and no browser tells them of any other answer.
 */
export function createTrpcDoor({
  core,
  log,
  secureCookies,
  bodyBytesMax,
  streams,
  exchangeOf,
}: TrpcDoorOptions): RequestHandler {
  const procedures = new Set(Object.keys(core.router._def.procedures));
  return createExpressMiddleware({
    router: core.router,
    maxBodySize: bodyBytesMax,
    async createContext({ req, res, info }) {
      const exchange = exchangeOf(res);
      exchange.route = routeOf(info.calls, procedures);
      if (info.type === 'subscription') {
        exchange.isStream = true;
        streams.add(res);
      }
      exchange.actor = await actorOf(core, req);
      return core.contextFor({
        actor: exchange.actor,
        requestId: exchange.requestId,
        clientAddress: exchange.clientAddress,
        refreshCookie: refreshCookie(req, res, secureCookies),
        deviceCookie: deviceCookie(req, res, secureCookies),
      });
    },
    responseMeta({ errors }) {
      const waits = errors.flatMap((error) => contractErrorOf(error).retryAfterSeconds ?? []);
      return waits.length > 0 ? { headers: { 'Retry-After': String(Math.max(...waits)) } } : {};
    },
    onError({ error, ctx, path }) {
      if (error.code !== 'INTERNAL_SERVER_ERROR') return;
      log.error({ err: error.cause ?? error, request_id: ctx?.requestId, procedure: path }, 'procedure failed');
    },
  });
}

/** What the log and the metrics call a request: its procedure, if there is one of that name; many at once are a batch. */
function routeOf(calls: readonly { path: string }[], procedures: ReadonlySet<string>): string {
  const [only] = calls;
  if (calls.length !== 1 || !only) return '/trpc/(batch)';
  return procedures.has(only.path) ? `/trpc/${only.path}` : '/trpc/(unknown)';
}

/** A request without credential is nobody's, which some procedures allow; a bad one is refused as on the public door. */
async function actorOf(core: Core, request: Request): Promise<Actor> {
  if (request.headers.authorization === undefined) return { kind: 'none' };
  return core.identify(bearerToken(request));
}

/** The refresh token lives in a cookie that scripts cannot read and that only the procedure renewing it is sent. */
function refreshCookie(request: Request, response: Response, secure: boolean): RefreshCookie {
  const attributes = { httpOnly: true, sameSite: 'strict', path: '/trpc/session.refresh', secure } as const;
  return {
    read: () => parseCookie(request.headers.cookie ?? '')[cookieName],
    write(token, expiresAtMs) {
      const cookie = stringifySetCookie({
        name: cookieName,
        value: token,
        ...attributes,
        expires: new Date(expiresAtMs),
      });
      response.appendHeader('Set-Cookie', cookie);
    },
    clear() {
      response.appendHeader(
        'Set-Cookie',
        stringifySetCookie({ name: cookieName, value: '', ...attributes, maxAge: 0 }),
      );
    },
  };
}

/** The cookie of a device is no credential, but scripts have no use for it either. */
function deviceCookie(request: Request, response: Response, secure: boolean): DeviceCookie {
  return {
    read: () => parseCookie(request.headers.cookie ?? '')[deviceCookieName],
    write(value) {
      const attributes = { httpOnly: true, sameSite: 'strict', path: '/trpc', secure } as const;
      response.appendHeader(
        'Set-Cookie',
        stringifySetCookie({ name: deviceCookieName, value, ...attributes, maxAge: deviceCookieSeconds }),
      );
    },
  };
}
