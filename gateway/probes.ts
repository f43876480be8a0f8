import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DeadlineError, withDeadline } from '../server/index.js';
import type { Metrics } from './metrics.js';
import type { Route } from './routes.js';

/** Resolves if the component works, rejects if it does not. */
export type ReadinessCheck = () => Promise<unknown>;

export type CheckResult = 'ok' | 'failed' | 'timed out';

export type Readiness = {
  status: 'ok' | 'degraded' | 'unavailable' | 'stopping';
  /** Which entry points the process has, so that a load balancer never takes one kind of process for another. */
  role: string;
  checks: Record<string, CheckResult>;
};

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export type Probes = { healthz: Handler; servez: Handler; readyz: Handler; metrics: Handler };

export type ProbeOptions = {
  /** The checks that must pass before requests are sent here, by the name in the response. */
  checks: Readonly<Record<string, ReadinessCheck>>;
  /** Optional components. They are reported, do not affect readiness, and log their failures themselves. */
  dispensable?: Readonly<Record<string, ReadinessCheck>>;
  /** The time limit of one check. */
  timeoutMs: number;
  metrics: Metrics;
  role: string;
  /** The bearer token that `metrics` requires; undefined if anybody may read the metrics. */
  metricsToken?: string | undefined;
  /** Whether the process is about to stop and must get no new requests. */
  isDraining?: () => boolean;
  /** Receives the reason of a failed check, which is not in the response, as anybody can read that. */
  onFailure?: (name: string, error: unknown) => void;
};

/**
 * Creates the probes for an orchestrator: `healthz` shows that the process answers at all, `servez` whether it takes requests, if only
 * to answer them with 503 while the database is away, `readyz` whether it can serve, with its role and the result of each check,
 * and `metrics` returns its metrics.
 */
export function createProbes(options: ProbeOptions): Probes {
  const { checks, dispensable = {}, timeoutMs, metrics, role, metricsToken, isDraining, onFailure } = options;
  const expected = metricsToken === undefined ? undefined : digestOf(`Bearer ${metricsToken}`);
  let running: Promise<Readiness> | undefined;

  async function runCheck(name: string, check: ReadinessCheck): Promise<CheckResult> {
    try {
      await withDeadline({ what: name, ms: timeoutMs }, check);
      return 'ok';
    } catch (error) {
      if (error instanceof DeadlineError) return 'timed out';
      if (name in checks) onFailure?.(name, error);
      return 'failed';
    }
  }

  async function runChecks(): Promise<Readiness> {
    const results = await Promise.all(
      Object.entries({ ...checks, ...dispensable }).map(
        async ([name, check]) => [name, await runCheck(name, check)] as const,
      ),
    );
    const failed = results.flatMap(([name, result]) => (result === 'ok' ? [] : name));
    const isUnavailable = failed.some((name) => name in checks);
    const status = isUnavailable ? 'unavailable' : failed.length > 0 ? 'degraded' : 'ok';
    return { status, role, checks: Object.fromEntries(results) };
  }

  /**
   * Returns the outcome of the checks. Requests that arrive while the checks run share their outcome, so that checks do
   * not pile up when the database hangs.
   */
  function readiness(): Promise<Readiness> {
    running ??= runChecks().finally(() => {
      running = undefined;
    });
    return running;
  }

  metrics.gauges({ name: 'whereabouts_ready', help: '1 while the process can serve', labels: ['role'] }, async () => [
    { labels: { role }, value: (await readiness()).status === 'unavailable' ? 0 : 1 },
  ]);
  metrics.gauges(
    { name: 'whereabouts_check_ok', help: '1 while a check of the readiness passes', labels: ['check'] },
    async () =>
      Object.entries((await readiness()).checks).map(([check, result]) => ({
        labels: { check },
        value: result === 'ok' ? 1 : 0,
      })),
  );

  return {
    async healthz(_request, response) {
      send(response, { status: 200, contentType: 'application/json', body: '{"status":"ok"}' });
    },
    async servez(_request, response) {
      const [status, state] = isDraining?.() ? [503, 'stopping'] : [200, 'ok'];
      send(response, { status, contentType: 'application/json', body: JSON.stringify({ status: state, role }) });
    },
    async readyz(_request, response) {
      const state: Readiness = isDraining?.() ? { status: 'stopping', role, checks: {} } : await readiness();
      const status = ['unavailable', 'stopping'].includes(state.status) ? 503 : 200;
      send(response, { status, contentType: 'application/json', body: JSON.stringify(state) });
    },
    async metrics(request, response) {
      if (expected && !timingSafeEqual(expected, digestOf(request.headers.authorization ?? ''))) {
        response.setHeader('WWW-Authenticate', 'Bearer');
        send(response, { status: 401, contentType: 'text/plain', body: 'a token is required: METRICS_TOKEN\n' });
        return;
      }
      send(response, { status: 200, ...(await metrics.page()) });
    },
  };
}

/** Digests have one length, which the comparison needs. */
function digestOf(credential: string): Buffer {
  return createHash('sha256').update(credential).digest();
}

/** Sends an answer. Node omits the body if the request is a HEAD. */
function send(response: ServerResponse, answer: { status: number; contentType: string; body: string }): void {
  const body = Buffer.from(answer.body);
  response.statusCode = answer.status;
  response.setHeader('Content-Type', answer.contentType);
  response.setHeader('Content-Length', body.length);
  response.setHeader('Cache-Control', 'no-store');
  response.end(body);
}

/** Returns the routes of probes, by their paths. */
export function probeRoutes(handlers: ReadonlyMap<string, Handler>): Route[] {
  return Array.from(handlers, ([path, handle]) => ({
    method: 'GET',
    path,
    answer({ request, response }) {
      response.setHeader('X-Content-Type-Options', 'nosniff');
      return handle(request, response);
    },
  }));
}
