import http from 'node:http';
import https from 'node:https';
import { addressOfHost, isPublicAddress } from './address-check.js';
import { failureReason } from './failure-reason.js';
import { createLookup, PrivateAddressError } from './resolve.js';

export type WebhookRequest = { url: string; headers: Record<string, string>; body: string };

/** The outcome of one attempt. Without a status code there was no answer, and `error` says why. */
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

/** The timeout of one attempt, from connecting to the end of the answer. */
export const sendTimeoutMs = 15_000;

const answerBytesMax = 4096;
const idleConnectionMs = 4000;

/** Creates the sender of webhooks: no redirects, TLS verified, to public addresses only unless `allowsPrivate`. */
export function createWebhookSender({ allowsPrivate, timeoutMs = sendTimeoutMs }: SenderOptions): WebhookSender {
  const options = { keepAlive: true, timeout: idleConnectionMs, lookup: createLookup({ allowsPrivate }) };
  const agents = { http: new http.Agent(options), https: new https.Agent(options) };

  async function attempt(request: WebhookRequest, signal: AbortSignal): Promise<AttemptResult> {
    const startedMs = performance.now();
    const timeout = AbortSignal.timeout(timeoutMs);
    const outcome = await exchange(request, { agents, allowsPrivate, signal: AbortSignal.any([signal, timeout]) });
    const isAborted = signal.aborted && outcome.statusCode === null;
    const error =
      timeout.aborted && outcome.statusCode === null ? `No answer within ${timeoutMs / 1000} s` : outcome.error;
    return { ...outcome, error, isAborted, durationMs: Math.round(performance.now() - startedMs) };
  }

  return {
    async send(request, signal) {
      const result = await attempt(request, signal);
      // A connection that the receiver closed while it was idle says nothing about the receiver.
      return result.error === staleConnection ? attempt(request, signal) : result;
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

const staleConnection = 'The connection was closed';

type Exchange = Pick<AttemptResult, 'statusCode' | 'error' | 'answer' | 'retryAfterMs'>;

type ExchangeOptions = {
  agents: { http: http.Agent; https: https.Agent };
  allowsPrivate: boolean;
  signal: AbortSignal;
};

function exchange(request: WebhookRequest, { agents, allowsPrivate, signal }: ExchangeOptions): Promise<Exchange> {
  return new Promise((resolve) => {
    const failed = (error: string) => resolve({ statusCode: null, error, answer: null, retryAfterMs: null });
    const url = new URL(request.url);
    const isTls = url.protocol === 'https:';
    if (!allowsPrivate) {
      if (!isTls) return failed('The address does not begin with https://');
      // A literal address is connected to without a lookup.
      const literal = addressOfHost(url.hostname);
      if (literal !== undefined && !isPublicAddress(literal)) return failed(new PrivateAddressError().message);
    }
    const body = Buffer.from(request.body);
    const outgoing = (isTls ? https : http).request(
      url,
      {
        method: 'POST',
        agent: isTls ? agents.https : agents.http,
        signal,
        headers: {
          ...request.headers,
          'content-type': 'application/json',
          'content-length': body.length,
          'user-agent': 'Whereabouts-Webhooks/1',
        },
      },
      (response) => {
        void readAnswer(response).then((answer) => {
          const { statusCode = 0, headers } = response;
          resolve({ statusCode, error: null, answer, retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()) });
        });
      },
    );
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      failed(isStale && !signal.aborted ? staleConnection : failureReason(error));
    });
    outgoing.end(body);
  });
}

/** Reads the beginning of an answer. Does not wait for the rest, since the status has decided already. */
async function readAnswer(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= answerBytesMax) break;
    }
  } catch {
    // The receiver broke the connection, or the time ran out, after the status.
  }
  return Buffer.concat(chunks).subarray(0, answerBytesMax).toString('utf8').replaceAll('\0', '\u{FFFD}');
}

/** Parses a `Retry-After` header, in milliseconds from `nowMs`; null if it is absent or invalid. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
