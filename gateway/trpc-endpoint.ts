import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TRPCError } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import { parseCookie, stringifySetCookie } from 'cookie';
import express, { type Request, type Response } from 'express';
import {
  type Actor,
  type Context,
  ContractError,
  type Core,
  contractErrorOf,
  isNestedTooDeep,
  type Log,
} from '../server/index.js';
import type { Admission } from './admission.js';
import {
  anonymousBounds,
  BodyAbortedError,
  type BodyMemory,
  mediaTypeOf,
  readBody,
  requirePlainEncoding,
} from './http-body.js';
import type { CallerLimiter } from './caller-limiter.js';
import { createEventStreams } from './event-stream.js';
import type { Exchange } from './exchange.js';
import type { OpenStreams } from './open-streams.js';
import { createRejectionDelay } from './rejection-delay.js';
import { bearerChallenge, setBudgetHeaders } from './rest/respond.js';
import type { Route } from './routes.js';
import { canReject, rejectCalls } from './trpc-rejection.js';
import type { UnsentAnswers } from './unsent-answers.js';

/** The longest that browsers keep a cookie; each renewal of a session extends it. */
const deviceCookieSeconds = 400 * 86_400;

/** Calls in one request. The app's own batches are at most as large (`web/api/trpc.ts`). */
const batchCallsMax = 20;

/** Each further 64 KiB of a body count as a call, since reading them takes about as long as a call. */
const bytesPerRequest = 65_536;

const jsonType = 'application/json';
const anonymous: Actor = { kind: 'none' };

export type TrpcEndpointOptions = {
  core: Core;
  log: Log;
  admission: Admission;
  limiter: CallerLimiter;
  unsent: UnsentAnswers;
  /** Whether browsers reach the service over HTTPS only. */
  secureCookies: boolean;
  bodyBytesMax: number;
  bodyMemoryOf: (orgId: number | null) => BodyMemory;
  streams: OpenStreams;
};

/**
 * Creates the routes of `/trpc`, the app's endpoint for the same procedures, with a session token, an API key or neither, and the
 * refresh token's cookie. Each call counts against the caller's budget, as in the public API; a batch has at most 20
 * calls. The body is read here, within limits that depend on the credential. Unauthenticated callers who make too many requests
 * or attempts get their rejections a second later.
 *
 * Subscriptions are answered by a stream of server-sent events. An error, also for a bad token, is its first event
 * under status 200: clients read the reason from there, and browsers report no other status.
 */
export function trpcRoutes(options: TrpcEndpointOptions): Route[] {
  const { core, log, secureCookies, streams, unsent } = options;
  const procedures = new Set(Object.keys(core.router._def.procedures));
  const exchanges = new WeakMap<object, Exchange>();
  const rejections = new WeakMap<Exchange, unknown>();
  const delayRejection = createRejectionDelay();

  function createContext(exchange: Exchange): Context {
    const { response, actor = anonymous } = exchange;
    const cookie = (name: string, path: string) => cookieOf(exchange, { name, path, secure: secureCookies });
    // Only the procedure that renews the refresh token receives it.
    const refresh = cookie('whereabouts_refresh', '/trpc/session.refresh');
    // It is not a credential, but scripts do not need to read it.
    const device = cookie('whereabouts_device', '/trpc');
    // The browser's state while its user is at the identity provider. The value is encrypted.
    const signOn = cookie('whereabouts_sign_on', '/trpc');
    return core.contextFor({
      actor,
      reserve: unsent.reserveFor(actor, response),
      requestId: exchange.requestId,
      clientAddress: exchange.clientAddress,
      presence: exchange.presence,
      refreshCookie: { ...refresh, write: (token, atMs) => refresh.write(token, { expires: new Date(atMs) }) },
      deviceCookie: { ...device, write: (value) => device.write(value, { maxAge: deviceCookieSeconds }) },
      signOnCookie: { ...signOn, write: (value, maxAge) => signOn.write(value, { maxAge }) },
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
  const middleware = createExpressMiddleware({
    router: core.router,
    maxBatchSize: batchCallsMax,
    async createContext({ res, info }) {
      const exchange = exchanges.get(res) as Exchange;
      exchange.route = routeOf(info.calls, procedures);
      if (rejections.has(exchange)) throw rejections.get(exchange);
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

  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', false);
  app.use(middleware);

  /** Has tRPC make the calls. It reads a parsed body from the request, and parses it only once the context is created. */
  function makeCalls(exchange: Exchange, body: string): void {
    const { request, response } = exchange;
    exchanges.set(response, exchange);
    app(Object.assign(request, { body }) as unknown as Request, response as Response);
  }

  async function answer(exchange: Exchange): Promise<void> {
    const { response } = exchange;
    // Event streams set their own header against caching.
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const stream = eventStreams.nameOf(exchange);
    let body = '';
    try {
      const actor = await admit(exchange, options);
      unsent.requireSpace(actor);
      requireFewLevels(new URLSearchParams(exchange.rawQuery).get('input') ?? '', 'Request input');
      body = await readText(exchange, actor);
    } catch (rejection) {
      if (rejection instanceof BodyAbortedError) return;
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
      rejections.set(exchange, rejection);
    }
    if (stream !== undefined) {
      await eventStreams.answer(exchange, { name: stream });
      return;
    }
    try {
      const { actor = anonymous, presence } = exchange;
      const isWritten = whenWritten(response);
      const work = () => {
        makeCalls(exchange, body);
        return isWritten;
      };
      await core.process(actor.kind === 'none' ? null : actor.orgId, work, presence);
    } catch (rejection) {
      rejections.set(exchange, rejection);
      makeCalls(exchange, body);
    }
  }

  return ['GET', 'POST'].map((method) => ({ method, path: '/trpc/*', answer }));

  /** Returns the body, which tRPC parses. */
  async function readText(exchange: Exchange, actor: Actor): Promise<string> {
    const { request, response, clientAddress } = exchange;
    requireJson(request);
    requirePlainEncoding(request, response);
    const body = await readBody(request, boundsFor(exchange, actor));
    // A declared length was counted before.
    const cost = request.headers['content-length'] === undefined ? bodyCost(body.length) : 0;
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

/** Resolves when an answer has been serialized, as its head is written then, or its client has left. */
function whenWritten(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
    response.writeHead = (status: number, ...rest: unknown[]) => {
      resolve();
      return writeHead(status, ...rest);
    };
    response.once('close', resolve);
  });
}

/**
 * Rejects bodies that are not JSON. tRPC would also read bytes, and forms, which other sites can send without a
 * preflight request.
 *
 * @throws ContractError `unsupported_media_type`
 */
function requireJson(request: IncomingMessage): void {
  const type = mediaTypeOf(request);
  if (type === jsonType || (type === undefined && request.method !== 'POST')) return;
  throw new ContractError('unsupported_media_type', `Content-Type must be ${jsonType}`);
}

/**
 * Rejects deeply nested JSON, which tRPC would parse without a limit.
 *
 * @throws ContractError `bad_request`
 */
function requireFewLevels(text: string, what: string): void {
  if (isNestedTooDeep(text)) throw new ContractError('bad_request', `${what} is nested too deeply`);
}

/**
 * Returns the caller of a request, and counts each call against the budget.
 *
 * @throws ContractError `rate_limited`, and `unauthorized` for a credential that is not valid
 */
function admit(exchange: Exchange, { admission, bodyBytesMax }: TrpcEndpointOptions): Promise<Actor> {
  const declaredBytes = Math.min(Number(exchange.request.headers['content-length'] ?? 0), bodyBytesMax);
  // tRPC rejects a larger batch as a whole.
  const count = Math.min(callsOf(exchange), batchCallsMax);
  return admission.callerOrNobody(exchange, { count, more: bodyCost(declaredBytes) });
}

/** Returns how many calls a body counts as: none below 64 KiB. */
function bodyCost(bytes: number): number {
  return Math.floor(bytes / bytesPerRequest);
}

/** Counts the calls in a path, separated by commas, which may be percent-encoded. */
function callsOf({ instance }: Exchange): number {
  return (instance.match(/,|%2c/gi)?.length ?? 0) + 1;
}

/**
 * Returns the name of a request for the log and the metrics: its procedure, if it exists, or `batch` for several calls.
 */
function routeOf(calls: readonly { path: string }[], procedures: ReadonlySet<string>): string {
  const [only] = calls;
  if (calls.length !== 1 || !only) return '/trpc/(batch)';
  return procedures.has(only.path) ? `/trpc/${only.path}` : '/trpc/(unknown)';
}

type CookieOptions = { name: string; path: string; secure: boolean };

/** Returns access to a cookie that scripts cannot read and other sites cannot send. */
function cookieOf({ request, response }: Exchange, { name, path, secure }: CookieOptions) {
  const attributes = { name, path, secure, httpOnly: true, sameSite: 'strict' } as const;
  const write = (value: string, lifetime: { expires: Date } | { maxAge: number }): void => {
    response.appendHeader('Set-Cookie', stringifySetCookie({ ...attributes, value, ...lifetime }));
  };
  return {
    read: () => parseCookie(request.headers.cookie ?? '')[name],
    write,
    clear: () => write('', { maxAge: 0 }),
  };
}
