import type { ServerResponse } from 'node:http';
import {
  type Actor,
  authorize,
  type Caller,
  ContractError,
  contractErrorOf,
  type Core,
  type Log,
  requireCredential,
  type ScopedActor,
} from '../../server/index.js';
import { requirePlainEncoding } from '../body-rejections.js';
import { addressBudgetKey, type CallerLimiter } from '../caller-limiter.js';
import { BodyAbortedError, type BodyMemory, BodyTooLargeError, isDeclaredTooLarge, readBody } from '../http-body.js';
import type { UnsentAnswers } from '../unsent-answers.js';
import type { Exchange } from '../exchange.js';
import { identify } from './credentials.js';
import { readBodyInput, readPath, readQuery, rejectParameters, requireContentType } from './input.js';
import type { Operation } from './operations.js';
import { jsonInPieces } from './json-in-pieces.js';
import { requireBudget, sendFailure, sendText, setBudgetHeaders } from './respond.js';
import type { RouteMatch } from './routes.js';

export type RestOptions = {
  core: Core;
  match: (path: string) => RouteMatch | undefined;
  limiter: CallerLimiter;
  log: Log;
  bodyBytesMax: number;
  bodyMemoryOf: (orgId: number | null) => BodyMemory;
  unsent: UnsentAnswers;
  now: () => number;
};

/**
 * Creates the handler of requests below `/api`. The order of its steps is the order of checks (contract 8): route,
 * credential, budget, scope, media type, size, query, path; the procedure then checks the row and the body.
 */
export function createRestHandler(options: RestOptions): (exchange: Exchange) => Promise<void> {
  const { core, match, limiter, log, unsent } = options;

  return async (exchange) => {
    try {
      const operation = await route(exchange);
      exchange.actor = await admit(exchange, operation);
      const actor = authorize(exchange.actor, operation.meta);
      unsent.requireSpace(actor);
      const request = await prepare(exchange, operation, actor);
      await core.process(
        actor.orgId,
        async () => {
          const result = await call(exchange, operation, request);
          // Other requests may have been answered meanwhile. A change that was made is always answered.
          if (operation.method === 'GET') unsent.requireSpace(actor);
          await succeed(exchange, operation, { actor, result });
          unsent.hold(actor, exchange.response, 0);
        },
        exchange.presence,
      );
    } catch (error) {
      if (error instanceof BodyAbortedError) return;
      await sendFailure(exchange, contractErrorOf(error, exchange.operation), log);
    }
  };

  /**
   * Finds the operation of a request. 404 and 405 come before everything else; the caller is counted by address, as no
   * credential was checked.
   */
  async function route(exchange: Exchange): Promise<Operation> {
    const { request, response } = exchange;
    const found = match(exchange.instance);
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
    const operation = found?.route.operations.get(method);
    if (found && operation) {
      exchange.operation = operation;
      exchange.pathParameters = found.parameters;
      announceRetirement(response, operation);
      return operation;
    }
    setBudgetHeaders(response, await limiter.take(addressBudgetKey(exchange.clientAddress)));
    if (!found) throw new ContractError('not_found', `Unknown API route: ${exchange.instance}`);
    response.setHeader('Allow', found.route.allow);
    throw new ContractError('method_not_allowed', `Allowed methods: ${found.route.allow}`);
  }

  function announceRetirement(response: ServerResponse, { meta }: Operation): void {
    if (!meta.deprecation) return;
    response.setHeader('Deprecation', 'true');
    response.setHeader('Sunset', meta.deprecation.sunset.toUTCString());
  }

  /** Returns the caller, within budget. Without a valid credential, the budget of the client address counts. */
  async function admit(exchange: Exchange, operation: Operation): Promise<Actor> {
    const { response } = exchange;
    const actor = await identify(options, exchange);
    const budget = limiter.takeFor({ actor, clientAddress: exchange.clientAddress });
    const counted = budget instanceof Promise ? await budget : budget;
    setBudgetHeaders(response, counted);
    requireCredential(actor, operation.meta);
    requireBudget(response, counted);
    rejectRetired(operation);
    return actor;
  }

  function rejectRetired({ meta }: Operation): void {
    if (meta.deprecation && options.now() >= meta.deprecation.sunset.getTime()) {
      throw new ContractError('gone', 'This endpoint has been retired');
    }
  }

  /** Reads the body, and the parameters. */
  async function prepare(exchange: Exchange, operation: Operation, actor: ScopedActor): Promise<Prepared> {
    const { request, response } = exchange;
    const { bodyBytesMax: bytesMax } = options;
    let body: Buffer | undefined;
    let parameters: Parameters | undefined;
    if (operation.contentType) {
      requireContentType(operation, request);
      requirePlainEncoding(request, response);
      if (isDeclaredTooLarge(request, bytesMax)) throw new BodyTooLargeError(bytesMax);
      // The next steps need not wait for the body if its size was already checked, or if the client waits to send it.
      const isSizeKnown = request.headers['content-length'] !== undefined;
      if (isSizeKnown || exchange.sendContinue) parameters = readParameters(exchange, operation);
      const memory = options.bodyMemoryOf(actor.orgId);
      body = await readBody(request, { bytesMax, memory, beforeRead: exchange.sendContinue });
    }
    return { actor, body, ...(parameters ?? readParameters(exchange, operation)) };
  }

  function call(exchange: Exchange, operation: Operation, { actor, body, query, path }: Prepared): Promise<unknown> {
    const { requestId, clientAddress, presence } = exchange;
    const caller: Caller = { actor, path, requestId, clientAddress, presence };
    return operation.procedure({
      ctx: core.contextFor(caller),
      getRawInput: async () => (body ? readBodyInput(operation, body, path) : { ...query, ...path }),
      path: operation.procedureName,
      type: operation.procedureType,
      input: undefined,
      signal: undefined,
      batchIndex: 0,
    });
  }

  async function succeed(
    exchange: Exchange,
    operation: Operation,
    { actor, result }: { actor: ScopedActor; result: unknown },
  ): Promise<void> {
    const { response } = exchange;
    if (operation.successStatus === 204) {
      response.statusCode = 204;
      response.end();
      return;
    }
    if (operation.successStatus === 201) {
      const { data } = result as { data: { id: number } };
      response.setHeader('Location', `${canonicalPath(operation, exchange)}/${data.id}`);
    }
    const pause = () => core.loopTurns.next(actor.orgId);
    sendText(exchange, operation.successStatus, await jsonInPieces(result, pause));
  }
}

/** What a request asks for, when everything has arrived and its parameters have been checked. */
type Prepared = Parameters & { actor: ScopedActor; body: Buffer | undefined };

type Parameters = { query: Record<string, unknown>; path: Record<string, number> };

function readParameters({ rawQuery, pathParameters }: Exchange, operation: Operation): Parameters {
  const query = rawQuery === '' ? {} : readQuery(rawQuery);
  if (rawQuery !== '') rejectParameters(operation, query);
  return { query, path: readPath(operation, pathParameters) };
}

/** Returns the canonical path of a request, in which an id may have been escaped. */
function canonicalPath({ path }: Operation, { pathParameters }: Exchange): string {
  return path.replaceAll(/\{(\w+)\}/g, (_braced, key: string) => pathParameters[key] ?? '');
}
