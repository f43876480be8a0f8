import type { ServerResponse } from 'node:http';
import type { Caller, Core, ScopedActor } from '../../server/index.js';
import type { Admission } from '../admission.js';
import {
  type BodyMemory,
  BodyTooLargeError,
  isDeclaredTooLarge,
  readBody,
  requirePlainEncoding,
} from '../http-body.js';
import type { Route } from '../routes.js';
import type { UnsentAnswers } from '../unsent-answers.js';
import type { Exchange } from '../exchange.js';
import { readBodyInput, readPath, readQuery, rejectParameters, requireContentType } from './input.js';
import type { Operation } from './operations.js';
import { jsonInPieces } from './json-in-pieces.js';
import { sendText } from './respond.js';

export type RestOptions = {
  core: Core;
  operations: readonly Operation[];
  admission: Admission;
  bodyBytesMax: number;
  bodyMemoryOf: (orgId: number | null) => BodyMemory;
  unsent: UnsentAnswers;
};

/**
 * Creates the routes of the public operations. The order of their steps is the order of checks (contract 8): credential,
 * budget, scope, media type, size, query, path; the procedure then checks the row and the body.
 */
export function restRoutes(options: RestOptions): Route[] {
  const { core, operations, admission, unsent } = options;
  return operations.map((operation) => {
    const { method, path } = operation;
    return { method, path, answer: (exchange) => answer(exchange, operation) };
  });

  async function answer(exchange: Exchange, operation: Operation): Promise<void> {
    exchange.operation = operation;
    announceRetirement(exchange.response, operation);
    const actor = await admission.callerOf(exchange, operation.meta);
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
  }

  function announceRetirement(response: ServerResponse, { meta }: Operation): void {
    if (!meta.deprecation) return;
    response.setHeader('Deprecation', 'true');
    response.setHeader('Sunset', meta.deprecation.sunset.toUTCString());
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
    const authorized = { needs: operation.meta, actor };
    const caller: Caller = { actor, authorized, path, requestId, clientAddress, presence };
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
