import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TRPCError } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, RequestHandler, Response } from 'express';
import {
  type Actor,
  type Context,
  ContractError,
  type Core,
  contractErrorOf,
  type DeviceCookie,
  isNestedTooDeep,
  type Log,
  type RefreshCookie,
  rateLimited,
  type SignOnCookie,
} from '../server/index.js';
import { bodyRejectionOf, mediaTypeOf, requirePlainEncoding } from './body-rejections.js';
import { declaredBodyCost, undeclaredBodyCost } from './body-cost.js';
import { addressBudgetKey, type CallerLimiter } from './caller-limiter.js';
import { createEventStreams } from './event-stream.js';
import type { Exchange } from './exchange.js';
import { anonymousBounds, BodyAbortedError, type BodyMemory, readBody } from './http-body.js';
import type { OpenStreams } from './open-streams.js';
import type { Budget } from './rate-limit.js';
import { createRejectionDelay } from './rejection-delay.js';
import { bearerToken } from './rest/credentials.js';
import { bearerChallenge, setBudgetHeaders } from './rest/respond.js';
import { canReject, rejectCalls } from './trpc-rejection.js';
import type { UnsentAnswers } from './unsent-answers.js';

const cookieName = 'whereabouts_refresh';
const signOnCookieName = 'whereabouts_sign_on';
const deviceCookieName = 'whereabouts_device';
/** The longest that browsers keep a cookie; each renewal of a session extends it. */
const deviceCookieSeconds = 400 * 86_400;

/** Calls in one request. The app's own batches are at most as large (`web/api/trpc.ts`). */
const batchCallsMax = 20;

const jsonType = 'application/json';
const anonymous: Actor = { kind: 'none' };

export type TrpcEndpointOptions = {
  core: Core;
  log: Log;
  limiter: CallerLimiter;
  unsent: UnsentAnswers;
  /** Whether browsers reach the service over HTTPS only. */
  secureCookies: boolean;
  bodyBytesMax: number;
  bodyMemoryOf: (orgId: number | null) => BodyMemory;
  streams: OpenStreams;
  exchangeOf: (response: Response) => Exchange;
};

/**
 * Serves `/trpc`, the app's endpoint for the same procedures, with a session token, an API key or neither, and the
 * refresh token's cookie. Each call counts against the caller's budget, as in the public API; a batch has at most 20
 * calls. The body is read here, within limits that depend on the credential. Unauthenticated callers who make too many requests
 * or attempts get their rejections a second later.
 *
 * Subscriptions are answered by a stream of server-sent events. An error, also for a bad token, is its first event
 * under status 200: clients read the reason from there, and browsers report no other status.
 */
export function createTrpcEndpoint(options: TrpcEndpointOptions): RequestHandler {
  const { core, log, secureCookies, streams, exchangeOf, unsent } = options;
  const procedures = new Set(Object.keys(core.router._def.procedures));
  const rejections = new WeakMap<Request, unknown>();
  const delayRejection = createRejectionDelay();

  function createContext({ request, response, actor = anonymous, ...exchange }: Exchange): Context {
    return core.contextFor({
      actor,
      reserve: unsent.reserveFor(actor, response),
      requestId: exchange.requestId,
      clientAddress: exchange.clientAddress,
      presence: exchange.presence,
      refreshCookie: refreshCookie(request, response, secureCookies),
      deviceCookie: deviceCookie(request, response, secureCookies),
      signOnCookie: signOnCookie(request, response, secureCookies),
      delayRejection: () => delayRejection(response),
    });
  }

  function onError({ error, ctx, path }: { error: TRPCError; ctx?: Context | undefined; path?: string | undefined }) {
    if (error.code !== 'INTERNAL_SERVER_ERROR') return;
    if (contractErrorOf(error).type === 'service_unavailable') {
      log.warn(
        { err: error.cause, request_id: ctx?.requestId, procedure: path },
        'procedure rejected: the database is busy or unavailable',
      );
      return;
    }
    log.error({ err: error.cause ?? error, request_id: ctx?.requestId, procedure: path }, 'procedure failed');
  }

  const eventStreams = createEventStreams({ core, streams, createContext, onError });
  const answer = createExpressMiddleware({
    router: core.router,
    maxBatchSize: batchCallsMax,
    async createContext({ req, res, info }) {
      const exchange = exchangeOf(res);
      exchange.route = routeOf(info.calls, procedures);
      if (rejections.has(req)) throw rejections.get(req);
      return createContext(exchange);
    },
    responseMeta({ errors }) {
      const causes = errors.map((error) => contractErrorOf(error));
      const waits = causes.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
      return {
        headers: {
          ...(waits.length > 0 && { 'Retry-After': String(Math.max(...waits)) }),
          // RFC 9110, 15.5.2: every 401 has a challenge.
          ...(causes.some(({ type }) => type === 'unauthorized') && { 'WWW-Authenticate': bearerChallenge }),
        },
      };
    },
    onError,
  });

  return async (request, response, next) => {
    const exchange = exchangeOf(response);
    // tRPC reads a parsed body from here, and parses it only once the context is created.
    request.body = '';
    const stream = eventStreams.nameOf(exchange);
    try {
      const actor = await admit(exchange, options);
      unsent.requireSpace(actor);
      requireFewLevels(new URLSearchParams(exchange.rawQuery).get('input') ?? '', 'Request input');
      request.body = await readText(exchange, actor);
    } catch (error) {
      if (error instanceof BodyAbortedError) return;
      const rejection = bodyRejectionOf(error) ?? error;
      if (stream !== undefined) {
        await eventStreams.answer(exchange, { name: stream, fault: rejection });
        return;
      }
      if (canReject(exchange, rejection)) {
        exchange.route = '/trpc/(refused)';
        if ((exchange.actor ?? anonymous).kind === 'none' && rejection.type === 'rate_limited')
          await delayRejection(response);
        rejectCalls(exchange, core, rejection);
        return;
      }
      rejections.set(request, rejection);
    }
    if (stream === undefined) await answer(request, response, next);
    else await eventStreams.answer(exchange, { name: stream });
  };

  /** Returns the body, which tRPC parses. */
  async function readText(exchange: Exchange, actor: Actor): Promise<string> {
    const { request, response, clientAddress } = exchange;
    requireJson(request);
    requirePlainEncoding(request, response);
    const body = await readBody(request, boundsFor(exchange, actor));
    const cost = undeclaredBodyCost(request, body);
    if (cost > 0) setBudgetHeaders(response, await options.limiter.takeFor({ actor, clientAddress }, cost));
    const text = body.toString('utf8');
    requireFewLevels(text, 'Request body');
    return text;
  }

  function boundsFor({ sendContinue: beforeRead }: Exchange, actor: Actor) {
    const { bodyBytesMax: bytesMax, bodyMemoryOf } = options;
    if (actor.kind === 'none') return { ...anonymousBounds(bytesMax), beforeRead };
    return { bytesMax, memory: bodyMemoryOf(actor.orgId), beforeRead };
  }
}

/**
 * Rejects bodies that are not JSON. tRPC would also read forms, which other sites can send without asking, and bytes.
 *
 * @throws ContractError `unsupported_media_type`
 */
function requireJson(request: IncomingMessage): void {
  const type = mediaTypeOf(request);
  if (type === jsonType || (type === undefined && request.method !== 'POST')) return;
  throw new ContractError('unsupported_media_type', `Content-Type must be ${jsonType}`);
}

/**
 * Rejects JSON that tRPC would parse without a limit of levels.
 *
 * @throws ContractError `bad_request`
 */
function requireFewLevels(text: string, what: string): void {
  if (isNestedTooDeep(text)) throw new ContractError('bad_request', `${what} is nested too deeply`);
}

/**
 * Returns the caller of a request's calls, noted in the exchange as well, and counts each call against the budget.
 *
 * @throws ContractError `rate_limited`, and `unauthorized` for a credential that is not valid
 */
async function admit(exchange: Exchange, { core, limiter, bodyBytesMax }: TrpcEndpointOptions): Promise<Actor> {
  const { request, response, clientAddress } = exchange;
  // tRPC rejects a larger batch as a whole.
  const count = Math.min(callsOf(exchange), batchCallsMax);

  async function spend(taken: Budget | Promise<Budget>): Promise<void> {
    const budget = await taken;
    setBudgetHeaders(response, budget);
    if (budget.retryAfterSeconds !== undefined) throw rateLimited(budget.retryAfterSeconds);
  }

  let actor = anonymous;
  try {
    // Without a credential the caller is anonymous, which some procedures allow; a bad one is rejected as in the public
    // API.
    if (request.headers.authorization !== undefined) actor = await core.identify(bearerToken(request));
  } catch (error) {
    await spend(limiter.take(addressBudgetKey(clientAddress), count));
    throw error;
  }
  exchange.actor = actor;
  const bodyCost = actor === anonymous ? 0 : declaredBodyCost(request, bodyBytesMax);
  await spend(limiter.takeFor({ actor, clientAddress }, count + bodyCost));
  return actor;
}

/** Counts the calls in a path, separated by commas, which may be percent-encoded. */
function callsOf({ instance }: Exchange): number {
  return (instance.match(/,|%2c/gi)?.length ?? 0) + 1;
}

/**
 * Returns the name of a request for the log and the metrics: its procedure, if it exists; several at once are a batch.
 */
function routeOf(calls: readonly { path: string }[], procedures: ReadonlySet<string>): string {
  const [only] = calls;
  if (calls.length !== 1 || !only) return '/trpc/(batch)';
  return procedures.has(only.path) ? `/trpc/${only.path}` : '/trpc/(unknown)';
}

/**
 * Returns access to the cookie of the refresh token. Scripts cannot read it, and it is sent only to the procedure that
 * renews it.
 */
function refreshCookie(request: IncomingMessage, response: ServerResponse, secure: boolean): RefreshCookie {
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

/** Returns access to the cookie of a device. It is not a credential, but scripts do not need it either. */
function deviceCookie(request: IncomingMessage, response: ServerResponse, secure: boolean): DeviceCookie {
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

/**
 * Returns access to the cookie with the browser's state while its user is at the identity provider. The value is
 * encrypted, and scripts cannot read it either.
 */
function signOnCookie(request: IncomingMessage, response: ServerResponse, secure: boolean): SignOnCookie {
  const name = signOnCookieName;
  const attributes = { httpOnly: true, sameSite: 'strict', path: '/trpc', secure } as const;
  const write = (value: string, maxAge: number): void => {
    response.appendHeader('Set-Cookie', stringifySetCookie({ name, value, ...attributes, maxAge }));
  };
  return {
    read: () => parseCookie(request.headers.cookie ?? '')[name],
    write,
    clear: () => write('', 0),
  };
}
