import type { IncomingMessage, ServerResponse } from 'node:http';
import { ContractError, createOwnerCounts, rateLimited } from '../server/index.js';

/** The longest body of an unauthenticated sender. */
const anonymousBytesMax = 16 * 1024;
const anonymousBodyMsMax = 30_000;
/** `Retry-After` for a caller whose organization has too many arriving bodies. */
const bodiesFullSeconds = 1;
const emptyBuffer = Buffer.alloc(0);

/** The error detail for a request whose headers or body did not arrive in time. */
export const tooSlowDetail = 'Request took too long to arrive';

/** The body is longer than allowed. The connection still accepts the answer. */
export class BodyTooLargeError extends ContractError {
  constructor(bytesMax: number) {
    super('payload_too_large', `Request body must be at most ${bytesMax} bytes`);
  }
}

/** The client disconnected before its body had arrived: there is nobody to answer. */
export class BodyAbortedError extends Error {
  constructor() {
    super('the client disconnected while sending its body');
    this.name = 'BodyAbortedError';
  }
}

/** Returns the error for a body if its organization has too many other bodies in memory. */
export function tooManyBodies(): ContractError {
  return rateLimited(bodiesFullSeconds);
}

/** The memory of one organization's arriving bodies. */
export type BodyMemory = {
  /** Counts bytes that have arrived; false if that exceeds the organization's limit. */
  add(bytes: number): boolean;
  /** Subtracts bytes added before. */
  release(bytes: number): void;
};

export type BodyBounds = {
  bytesMax: number;
  /** Milliseconds for the whole body; by default the server's own time limit of a request applies. */
  timeoutMs?: number;
  memory?: BodyMemory;
  /** Called just before the first byte of a body is read: sends `100 Continue` if the client waits for it. */
  beforeRead?: (() => void) | undefined;
};

/** Returns the limits for a body of an unauthenticated sender: 16 KiB, or less, within 30 s. */
export function anonymousBounds(bytesMax: number): BodyBounds {
  return { bytesMax: Math.min(bytesMax, anonymousBytesMax), timeoutMs: anonymousBodyMsMax };
}

/**
 * Returns the whole body of a request, empty if it has none. Call this once, before anything else listens to the
 * request.
 *
 * A body over `bytesMax` is rejected as soon as that is known: by its declared length, or while it streams.
 * `connection-ends.ts` discards the rest.
 *
 * @throws BodyTooLargeError
 * @throws ContractError `bad_request` if it does not arrive in time, `rate_limited` if the memory is full
 * @throws BodyAbortedError
 */
export function readBody(request: IncomingMessage, bounds: BodyBounds): Promise<Buffer> {
  if (!hasBody(request)) return Promise.resolve(emptyBuffer);
  if (isDeclaredTooLarge(request, bounds.bytesMax)) return Promise.reject(new BodyTooLargeError(bounds.bytesMax));
  bounds.beforeRead?.();
  return new Promise((resolve, reject) => collect(request, bounds, { resolve, reject }));
}

type Outcome = { resolve: (body: Buffer) => void; reject: (error: Error) => void };

function collect(request: IncomingMessage, { bytesMax, timeoutMs, memory }: BodyBounds, outcome: Outcome): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => fail(new ContractError('bad_request', tooSlowDetail)), timeoutMs);

  function onData(chunk: Buffer): void {
    length += chunk.length;
    chunks.push(chunk);
    if (memory?.add(chunk.length) === false) fail(tooManyBodies());
    else if (length > bytesMax) fail(new BodyTooLargeError(bytesMax));
  }
  function onEnd(): void {
    stop();
    outcome.resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length));
  }
  function onAborted(): void {
    fail(new BodyAbortedError());
  }
  function fail(error: Error): void {
    stop();
    // An error without a listener would end the process.
    request.on('error', ignore);
    outcome.reject(error);
  }
  function stop(): void {
    clearTimeout(timer);
    memory?.release(length);
    request.off('data', onData).off('end', onEnd).off('error', onAborted).off('close', onAborted);
  }

  if (request.destroyed) onAborted();
  else request.on('data', onData).on('end', onEnd).on('error', onAborted).on('close', onAborted);
}

/** Returns whether the declared length of a request exceeds `bytesMax`. */
export function isDeclaredTooLarge(request: IncomingMessage, bytesMax: number): boolean {
  return Number(request.headers['content-length'] ?? 0) > bytesMax;
}

/**
 * Returns whether the body has an encoding such as gzip. The service reads none, and answers 415 instead of calling
 * the bytes malformed.
 */
export function hasUnsupportedEncoding(request: IncomingMessage): boolean {
  const encoding = request.headers['content-encoding'];
  return encoding !== undefined && encoding.trim() !== '' && encoding.trim().toLowerCase() !== 'identity';
}

/** Returns whether a request has a body of at least one byte, or of unknown length. */
export function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && Number(length) > 0);
}

function ignore(): void {}

/** How many bodies of the largest size one organization can have in memory while they arrive. */
export const largestBodiesMax = 32;

/**
 * Returns the memory limits of organizations for bodies that are arriving. Without them, one organization could fill
 * the process with bodies that never end.
 *
 * @param bytesMax bytes that one organization can keep
 */
export function createBodyMemories(bytesMax: number): (orgId: number | null) => BodyMemory {
  const used = createOwnerCounts<number>();
  return (orgId) => ({
    add: (bytes) => used.add(orgId ?? 0, bytes) <= bytesMax,
    release: (bytes) => void used.add(orgId ?? 0, -bytes),
  });
}

/** Returns the media type of a body in lower case, without parameters such as a charset; undefined if there is none. */
export function mediaTypeOf({ headers }: IncomingMessage): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

/**
 * Rejects a body in an encoding such as gzip, and sets `Accept-Encoding` (RFC 9110, 15.5.16).
 *
 * @throws ContractError `unsupported_media_type`
 */
export function requirePlainEncoding(request: IncomingMessage, response: ServerResponse): void {
  if (!hasUnsupportedEncoding(request)) return;
  response.setHeader('Accept-Encoding', 'identity');
  throw new ContractError(
    'unsupported_media_type',
    'Content-Encoding is not supported; send the body without compression',
  );
}
