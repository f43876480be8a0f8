import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Core, createPresence, type Log, type Settings, type SharedRedis } from '../server/index.js';
import { onceAnswered, writeAccessLine } from './access-log.js';
import { createAdmission } from './admission.js';
import { createBodyMemories, largestBodiesMax } from './http-body.js';
import { createCallerLimiter, organizationKeyBudgets } from './caller-limiter.js';
import { createClientAddress } from './client-address.js';
import { createConnectionEnds } from './connection-ends.js';
import { createDescriptions } from './description/description.js';
import { descriptionRoutes } from './description/handler.js';
import { createDispatch } from './dispatch.js';
import { createDocsSite } from './docs-site.js';
import type { Exchange } from './exchange.js';
import { filesRoutes } from './files.js';
import type { Health } from './health.js';
import { createRawAnswers } from './malformed-http.js';
import type { Metrics } from './metrics.js';
import { createOpenStreams } from './open-streams.js';
import { createPipelines } from './pipelines.js';
import { probeRoutes } from './probes.js';
import { createRateLimiter, type RateLimiter } from './rate-limit.js';
import { createRequestIds } from './request-id.js';
import { restRoutes } from './rest/handler.js';
import { readOperations } from './rest/operations.js';
import { createRoutes } from './routes.js';
import { createSharedRateLimiter } from './shared-rate-limit.js';
import { stopEmailRoute } from './stop-email.js';
import { trpcRoutes } from './trpc-endpoint.js';
import { createUnsentAnswers } from './unsent-answers.js';
import { createWebApp } from './web-app.js';

/** How long a request can take to arrive, from its first byte, and its answer to be read, in milliseconds. */
export type RequestTimeouts = {
  headersMs: number;
  /** Headers and body. */
  requestMs: number;
  /** The interval of connection checks. A request can exceed its time by up to this interval. */
  checkEveryMs: number;
  /** A connection whose client does not read its answer is closed after this time without progress. */
  unreadMs: number;
  /** A connection is closed after this time without a request. */
  idleMs: number;
};

export type GatewayOptions = {
  core: Core;
  settings: Settings;
  log: Log;
  health: Health;
  /** Absent where this is the only process. */
  redis?: SharedRedis | undefined;
  /** The app's build; without one the gateway serves only the API. */
  webFolder?: string;
  /** The build of the documentation; without one `/docs` is unknown. */
  docsFolder?: string;
  now?: () => number;
  timeouts?: RequestTimeouts;
};

const addressesCountedMax = 100_000;

/** The HTTP pipeline, the listeners for bytes that never become a request, and the end of streams. */
export type App = {
  handle: RequestListener;
  /** Does the same as `handle` for a request whose client waits for `100 Continue` before it sends the body. */
  handleExpecting: RequestListener;
  onClientError: (error: Error, socket: Socket) => void;
  onConnect: (request: IncomingMessage, socket: Socket) => void;
  onConnection: () => void;
  breakOffStreams: () => void;
  /** Rejects with 503 what requests still ask of the database, which is not logged as a failure. */
  finishRequests(): Promise<void>;
};

/**
 * Creates the whole HTTP pipeline: everything that the gateway serves is in the list of routes, except for the files and
 * pages of the app and of the documentation.
 */
export function createApp({
  core,
  settings,
  log,
  redis,
  health,
  webFolder,
  docsFolder,
  now = Date.now,
}: GatewayOptions): App {
  const limiterOf = (requests: number): RateLimiter => {
    const { windowSeconds } = settings.rateLimit;
    const local = createRateLimiter({ requests, windowSeconds, nowMs: now, entriesMax: addressesCountedMax });
    return redis ? createSharedRateLimiter(redis, { requests, windowSeconds, local }) : local;
  };
  const { requests } = settings.rateLimit;
  const limiter = createCallerLimiter(limiterOf(requests), limiterOf(requests * organizationKeyBudgets));
  const admission = createAdmission({ core, limiter, now });
  const { bodyBytesMax } = settings;
  const bodies = { bodyBytesMax, bodyMemoryOf: createBodyMemories(bodyBytesMax * largestBodiesMax) };
  const unsent = createUnsentAnswers();
  const https = settings.baseUrl.startsWith('https:');
  const streams = createOpenStreams();

  const operations = readOperations(core.router);
  const descriptions = createDescriptions({ router: core.router, operations, baseUrl: settings.baseUrl });
  const match = createRoutes([
    ...restRoutes({ core, operations, admission, unsent, ...bodies }),
    ...descriptionRoutes({ descriptions, admission }),
    ...trpcRoutes({ core, log, admission, limiter, unsent, streams, secureCookies: https, ...bodies }),
    ...filesRoutes({ core, admission, unsent, https }),
    stopEmailRoute({ core, admission }),
    ...probeRoutes(health.handlers),
  ]);
  const files = [
    docsFolder === undefined ? undefined : createDocsSite({ folder: docsFolder, https }),
    webFolder === undefined ? undefined : createWebApp({ folder: webFolder, https }),
  ].filter((answer) => answer !== undefined);
  const dispatch = createDispatch({ match, files, admission, log });

  // Its lines contain no secrets, so redaction is unnecessary.
  const accessLog = log.child({}, { redact: [] });
  const requestIdOf = createRequestIds({ nowMs: now });
  const clientAddressOf = createClientAddress(settings.trustedProxies);
  const ends = createConnectionEnds();
  const pipelines = createPipelines();
  let isFinishing = false;

  function respond(request: IncomingMessage, response: ServerResponse, sendContinue?: () => void): void {
    // Requests after the last one of this connection are read and ignored.
    if (ends.hasLast(request.socket)) {
      request.resume();
      return;
    }
    // Makes clients and load balancers open their next connection to a process that keeps running.
    if (health.isDraining()) ends.endAfter(request, response);
    ends.watch(request, response, () => answer(request, response, sendContinue));
  }

  function answer(request: IncomingMessage, response: ServerResponse, sendContinue?: () => void): void {
    const arrival = { requestId: requestIdOf(request), clientAddress: clientAddressOf(request) };
    const exchange = openExchange(request, response, arrival);
    if (sendContinue) exchange.sendContinue = sendContinue;
    watch(exchange, { log: accessLog, metrics: health.metrics, isFinishing: () => isFinishing });
    dispatch(exchange);
  }

  return {
    handle: (request, response) => pipelines.handle(request, response, () => respond(request, response)),
    handleExpecting: (request, response) =>
      pipelines.handle(request, response, () => respond(request, response, () => response.writeContinue())),
    ...createRawAnswers({
      limiter,
      now,
      requestIdOf,
      match,
      isEnding: ends.isEnding,
      isHeldBack: pipelines.isHeldBack,
    }),
    onConnection: ends.onConnection,
    breakOffStreams: streams.breakOff,
    finishRequests() {
      isFinishing = true;
      return core.finishRequests();
    },
  };
}

type Arrival = { requestId: string; clientAddress: string };

function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, clientAddress }: Arrival,
): Exchange {
  const url = originForm(request.url ?? '/');
  const queryAt = url.indexOf('?');
  response.setHeader('X-Request-ID', requestId);
  return {
    request,
    response,
    requestId,
    instance: queryAt === -1 ? url : url.slice(0, queryAt),
    rawQuery: queryAt === -1 ? '' : url.slice(queryAt + 1),
    clientAddress,
    presence: createPresence(),
    pathParameters: {},
  };
}

/** Returns the path and query of a request target, which a proxy may send with scheme and host (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '') || '/';
}

type Watchers = { log: Log; metrics: Metrics; isFinishing: () => boolean };

/**
 * Writes one log line and one measurement for a request when its answer ends. A stream is instead counted while it is
 * open.
 */
function watch(exchange: Exchange, { log, metrics, isFinishing }: Watchers): void {
  const { request, response } = exchange;
  onceAnswered(response, ({ durationMs, aborted }) => {
    if (aborted) exchange.presence.leave();
    const method = request.method ?? '';
    const { actor, operation } = exchange;
    const status = response.statusCode;
    if (!exchange.isStream) {
      metrics.observeRequest({ operation: operation?.id ?? exchange.route ?? 'none', method, status, durationMs });
    }
    writeAccessLine(log, {
      requestId: exchange.requestId,
      method,
      route: operation?.path ?? exchange.route,
      status,
      durationMs,
      aborted,
      isFinishing: isFinishing(),
      ...(actor && actor.kind !== 'none' ? { orgId: actor.orgId } : {}),
      ...(actor?.kind === 'key' ? { keyId: actor.keyId } : {}),
      ...(actor?.kind === 'session' ? { userId: actor.userId } : {}),
    });
  });
}
