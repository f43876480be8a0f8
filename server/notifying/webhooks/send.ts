import http from 'node:http';
import https from 'node:https';
import { DeadlineError, withDeadline } from '../../kernel/deadline.js';
import { addressOfHost, createLookup, isPublicAddress, PrivateAddressError } from './resolve.js';
import { failureReason } from './failure-reason.js';

export type WebhookRequest = { url: string; headers: Record<string, string>; body: string | Buffer };

/** The outcome of one attempt. Without a status code there was no answer, and `error` has the reason. */
export type AttemptResult = {
  statusCode: number | null;
  error: string | null;
  durationMs: number;
  /** The first 4 KiB of the answer, as text. */
  answer: string | null;
  /** The delay that `Retry-After` asks for, in milliseconds from now. */
  retryAfterMs: number | null;
  /** Whether it was aborted by the signal; such an attempt does not count. */
  isAborted: boolean;
};

export type WebhookSender = {
  /** Sends one request. Never rejects. */
  send(request: WebhookRequest, signal: AbortSignal): Promise<AttemptResult>;
  /** Closes the idle connections. */
  close(): void;
};

export type SenderOptions = { allowsPrivate: boolean; timeoutMs?: number };

/** The time limit of one attempt, from connecting to the end of the answer. */
export const sendTimeoutMs = 15_000;

const answerBytesMax = 4096;
const idleConnectionMs = 4000;
/** The most informational answers (1xx) before the answer itself. If a receiver sends more, the attempt fails. */
const informationMax = 16;

/** Creates the sender of webhooks: no redirects, TLS verified, to public addresses only unless `allowsPrivate`. */
export function createWebhookSender({ allowsPrivate, timeoutMs = sendTimeoutMs }: SenderOptions): WebhookSender {
  const options = { keepAlive: true, timeout: idleConnectionMs, lookup: createLookup({ allowsPrivate }) };
  const agents = { http: new http.Agent(options), https: new https.Agent(options) };

  async function attempt(request: WebhookRequest, answer: Answer, signal: AbortSignal): Promise<void> {
    try {
      await exchange(request, answer, { agents, allowsPrivate, signal });
    } catch (error) {
      // If the receiver closed a connection while it was idle, the receiver may still work.
      if (!(error instanceof StaleConnectionError)) throw error;
      await exchange(request, answer, { agents, allowsPrivate, signal });
    }
  }

  return {
    async send(request, signal) {
      const startedMs = performance.now();
      const answer: Answer = { statusCode: null, retryAfterMs: null, chunks: [] };
      let fault: unknown;
      try {
        await withDeadline({ what: 'webhook', ms: timeoutMs, signal }, (ending) => attempt(request, answer, ending));
      } catch (error) {
        fault = error;
      }
      const { statusCode, retryAfterMs: afterMs, chunks } = answer;
      return {
        statusCode,
        // The status decides: an answer counts even if its end is late or does not come.
        error: statusCode === null ? reasonOf(fault, timeoutMs) : null,
        answer: statusCode === null ? null : textOf(chunks),
        retryAfterMs: afterMs,
        isAborted: signal.aborted && statusCode === null,
        durationMs: Math.round(performance.now() - startedMs),
      };
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** What has arrived of an answer. */
type Answer = { statusCode: number | null; retryAfterMs: number | null; chunks: Buffer[] };

/** The receiver had closed a connection from an earlier request. */
class StaleConnectionError extends Error {}

function reasonOf(fault: unknown, timeoutMs: number): string {
  if (fault instanceof DeadlineError) return `No answer within ${timeoutMs / 1000} s`;
  return failureReason(fault as NodeJS.ErrnoException);
}

type ExchangeOptions = {
  agents: { http: http.Agent; https: https.Agent };
  allowsPrivate: boolean;
  signal: AbortSignal;
};

/**
 * Sends a request and records the beginning of the answer. Resolves once the request has ended, and rejects if it has
 * no answer.
 */
async function exchange(
  request: WebhookRequest,
  answer: Answer,
  { agents, allowsPrivate, signal }: ExchangeOptions,
): Promise<void> {
  const url = new URL(request.url);
  const isTls = url.protocol === 'https:';
  if (!allowsPrivate) {
    if (!isTls) throw new Error('The address does not begin with https://');
    // A literal address is connected to without a lookup.
    const literal = addressOfHost(url.hostname);
    if (literal !== undefined && !isPublicAddress(literal)) throw new PrivateAddressError();
  }
  const body = typeof request.body === 'string' ? Buffer.from(request.body) : request.body;
  const outgoing = (isTls ? https : http).request(url, {
    method: 'POST',
    agent: isTls ? agents.https : agents.http,
    signal,
    headers: {
      'content-type': 'application/json',
      ...request.headers,
      'content-length': body.length,
      'user-agent': 'Whereabouts-Webhooks/1',
    },
  });
  await new Promise<void>((resolve, reject) => {
    let early = 0;
    outgoing.on('information', () => {
      early += 1;
      if (early > informationMax) outgoing.destroy(new Error('The receiver sent too many answers of the kind 1xx'));
    });
    // A change of protocol that nobody asked for. Without a listener, Node would only close the request.
    outgoing.on('upgrade', (response, socket) => {
      noteStatus(answer, response);
      socket.destroy();
    });
    outgoing.on('response', (response) => {
      noteStatus(answer, response);
      // After a 101, the bytes that follow on the connection are not the answer to another request.
      if (answer.statusCode === 101) outgoing.destroy();
      else readBeginning(response, answer.chunks);
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isStale =
        outgoing.reusedSocket && answer.statusCode === null && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(isStale ? new StaleConnectionError(error.message) : error);
    });
    outgoing.on('close', () => {
      if (answer.statusCode === null) reject(new Error('The receiver closed the connection'));
      else resolve();
    });
    outgoing.end(body);
  });
}

function noteStatus(answer: Answer, { statusCode = 0, headers }: http.IncomingMessage): void {
  answer.statusCode = statusCode;
  answer.retryAfterMs = retryAfterMs(headers['retry-after'], Date.now());
}

/** Reads the beginning of an answer into `chunks`, and ends the connection if there is more. */
function readBeginning(response: http.IncomingMessage, chunks: Buffer[]): void {
  let bytes = 0;
  // After the status, the receiver broke the connection, or the time limit was reached.
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= answerBytesMax) response.destroy();
  });
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).subarray(0, answerBytesMax).toString('utf8').replaceAll('\0', '\u{FFFD}');
}

/** Parses a `Retry-After` header, in milliseconds from `nowMs`; null if it is absent or invalid. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
