import type { ServerResponse } from 'node:http';

/** The fields of a request's log line: no secrets, and nothing from a path, a query or a body. */
export type AccessEntry = {
  requestId: string;
  method: string;
  /** The template of the route, such as `/api/v1/assets/{asset_id}`; undefined if none matched. */
  route: string | undefined;
  status: number;
  durationMs: number;
  /** The client disconnected before the answer was complete. */
  aborted: boolean;
  /** The service stops and rejects with 503 what requests still ask of the database. */
  isFinishing?: boolean;
  orgId?: number | null | undefined;
  keyId?: string | undefined;
  userId?: number | undefined;
};

/** The methods of a pino logger that are used here. */
export type AccessLogTarget = Record<'debug' | 'info' | 'error', (fields: object, message: string) => void>;

/**
 * Load balancers, orchestrators and Prometheus request these all the time. Logged as `debug`, they do not fill the log.
 */
const probes = new Set<string | undefined>(['/healthz', '/servez', '/readyz', '/metrics']);

/** Writes the log line of a request: as an error if the service failed (5xx), for debugging if it is a probe. A 503 because the service stops is no failure. */
export function writeAccessLine(log: AccessLogTarget, entry: AccessEntry): void {
  const { requestId, method, route, status, durationMs, aborted, isFinishing, orgId, keyId, userId } = entry;
  const fields = {
    request_id: requestId,
    org_id: orgId ?? undefined,
    key_id: keyId,
    user_id: userId,
    method,
    route,
    status,
    duration_ms: Math.round(durationMs * 100) / 100,
    aborted: aborted || undefined,
  };
  if (status >= 500 && !(status === 503 && isFinishing)) log.error(fields, 'request');
  else if (probes.has(route)) log.debug(fields, 'request');
  else log.info(fields, 'request');
}

/** Calls back once when an answer ends, complete or not, with the time since this call. */
export function onceAnswered(
  response: ServerResponse,
  listener: (end: { durationMs: number; aborted: boolean }) => void,
): void {
  const startedAtMs = performance.now();
  // 'close' follows 'finish'. If the client disconnected, there is only 'close'.
  response.once('close', () => {
    listener({ durationMs: performance.now() - startedAtMs, aborted: !response.writableFinished });
  });
}
