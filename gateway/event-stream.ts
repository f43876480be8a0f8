import type { ServerResponse } from 'node:http';
import { getTRPCErrorFromUnknown, getTRPCErrorShape, isTrackedEnvelope, TRPCError } from '@trpc/server';
import type { Context, Core } from '../server/index.js';
import type { Exchange } from './exchange.js';
import type { OpenStreams } from './open-streams.js';
import { parseQuery } from './query-string.js';

/** How often a ping is sent. Sending on a dead connection shows both ends that it is dead. */
const pingEveryMs = 10_000;
/** How long a client waits without receiving anything before it connects again. */
const silenceMaxMs = 25_000;

const headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  Connection: 'keep-alive',
};
const connected = `event: connected\ndata: ${JSON.stringify({ reconnectAfterInactivityMs: silenceMaxMs })}\n\n`;
const ping = 'event: ping\ndata: \n\n';
const returned = 'event: return\ndata: \n\n';

export type EventStreamOptions = {
  core: Core;
  streams: OpenStreams;
  createContext: (exchange: Exchange) => Context;
  onError: (failure: { error: TRPCError; ctx: Context | undefined; path: string }) => void;
};

export type EventStreams = {
  /** Returns the name of the subscription that a request asks for, or undefined for any other request. */
  nameOf(exchange: Exchange): string | undefined;
  /**
   * Answers with the items of a subscription until the client leaves. An error, also `fault`, which was found before, is
   * an event under status 200. Never rejects.
   */
  answer(exchange: Exchange, subscription: { name: string; fault?: unknown }): Promise<void>;
};

/**
 * Serves subscriptions in the form that clients of tRPC read. tRPC's own handler would serialize an item for each
 * subscriber and pass it through several streams, which takes most of a processor while many look at a busy site; here
 * an item is serialized once for all subscribers that get the same object.
 */
export function createEventStreams({ core, streams, createContext, onError }: EventStreamOptions): EventStreams {
  const { _config: config } = core.router._def;
  // The keys are the full names of procedures, with their router, which the type does not express.
  const procedures = core.router._def.procedures as unknown as Readonly<Record<string, Procedure>>;
  const encode = createEncoder();

  function subscriptionOf(name: string): Procedure | undefined {
    const procedure = Object.hasOwn(procedures, name) ? procedures[name] : undefined;
    return procedure?._def.type === 'subscription' ? procedure : undefined;
  }

  function errorEvent(exchange: Exchange, { name: path, cause }: { name: string; cause: unknown }): string {
    const error = getTRPCErrorFromUnknown(cause);
    const ctx = createContext(exchange);
    onError({ error, ctx, path });
    const shape = getTRPCErrorShape({ config, error, type: 'subscription', path, input: undefined, ctx });
    return `event: serialized-error\ndata: ${JSON.stringify(shape)}\n\n`;
  }

  return {
    nameOf({ request, instance }) {
      const name = instance.slice('/trpc/'.length);
      return request.method === 'GET' && subscriptionOf(name) ? name : undefined;
    },
    async answer(exchange, { name, fault }) {
      const { response } = exchange;
      const leaving = new AbortController();
      exchange.route = `/trpc/${name}`;
      exchange.isStream = true;
      streams.add(response);
      response.once('close', () => leaving.abort());
      if (response.destroyed) return;
      response.writeHead(200, headers);
      response.write(connected);
      const fail = (cause: unknown) => write(response, errorEvent(exchange, { name, cause }));
      const pinging = setInterval(() => {
        if (!response.writableNeedDrain) response.write(ping);
      }, pingEveryMs);
      try {
        if (fault !== undefined) {
          await fail(fault);
          return;
        }
        const items = await subscriptionOf(name)?.({
          ctx: createContext(exchange),
          getRawInput: async () => readInput(exchange),
          path: name,
          type: 'subscription',
          signal: leaving.signal,
          batchIndex: 0,
        });
        for await (const item of items ?? []) await write(response, encode(item));
        await write(response, returned);
      } catch (cause) {
        // The service stops: the client connects again.
        if (!isAbort(cause)) await fail(cause);
      } finally {
        clearInterval(pinging);
        response.end();
      }
    },
  };
}

type Procedure = ((call: {
  ctx: Context;
  getRawInput: () => Promise<unknown>;
  path: string;
  type: 'subscription';
  signal: AbortSignal;
  batchIndex: number;
}) => Promise<AsyncIterable<unknown>>) & { _def: { type: string } };

/** Returns the input in the query, with the id of the last event that the client has received. */
function readInput({ request, rawQuery }: Exchange): unknown {
  const parameters = parseQuery(rawQuery);
  const [text] = parameters.get('input') ?? [];
  const header = request.headers['last-event-id'];
  const [lastEventId] = header === undefined ? (parameters.get('lastEventId') ?? []) : [header];
  let input: unknown;
  try {
    input = text === undefined ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new TRPCError({ code: 'BAD_REQUEST', message: 'The input is not valid JSON', cause });
  }
  return lastEventId === undefined ? input : { ...(input as object | undefined), lastEventId };
}

/** Returns a function that serializes items. It caches the bytes of each object as long as the object is in use. */
function createEncoder(): (item: unknown) => Uint8Array {
  const known = new WeakMap<object, { id: string; bytes: Buffer }>();
  return (item) => {
    if (!isTrackedEnvelope<object>(item)) throw new TypeError('an item of a subscription has no id');
    const [id, data] = item;
    const present = known.get(data);
    if (present?.id === id) return present.bytes;
    const bytes = Buffer.from(`data: ${JSON.stringify(data)}\nid: ${id}\n\n`);
    known.set(data, { id, bytes });
    return bytes;
  };
}

/** Sends an event, and resolves when the client can receive another one, or has left. */
async function write(response: ServerResponse, event: string | Uint8Array): Promise<void> {
  if (response.destroyed || response.write(event)) return;
  await new Promise<void>((resolve) => {
    const proceed = (): void => {
      response.off('drain', proceed).off('close', proceed);
      resolve();
    };
    response.on('drain', proceed).on('close', proceed);
  });
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
