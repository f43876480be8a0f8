import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from '../servers.js';

const pollMs = 20;
const timeoutMs = 60_000;

/** The service's own metrics, which are needed at QoS 0, where messages are not acknowledged. */
export type ServiceMetrics = {
  /** Messages that were stored. */
  readonly messages: number;
  /** Messages that were read from a socket and are not stored yet. */
  readonly underWay: number;
  /** Messages at QoS 0 that were dropped because a limit was reached. */
  readonly dropped: number;
};

export async function readMetrics({ port }: Server): Promise<ServiceMetrics> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const valueOf = (name: string) => {
    const value = new RegExp(`^whereabouts_${name} (\\d+)`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`the service has no metric ${name}`);
    return Number(value);
  };
  return {
    messages: valueOf('ingest_messages_total'),
    underWay: valueOf('broker_messages_under_way') + valueOf('ingest_waiting_messages'),
    dropped: valueOf('broker_dropped_messages_total'),
  };
}

/**
 * Waits until the service has stored everything it has accepted.
 *
 * @returns how long that took, in milliseconds
 */
export async function untilIdle(service: Server): Promise<number> {
  const startedAt = performance.now();
  let busyUntil = startedAt;
  let previous: number | undefined;
  while (performance.now() - startedAt < timeoutMs) {
    const { messages, underWay } = await readMetrics(service);
    // Data in a socket is in no metric, so the service has to be idle twice.
    if (underWay === 0 && previous === messages) return busyUntil - startedAt;
    previous = underWay === 0 ? messages : undefined;
    busyUntil = performance.now();
    await delay(pollMs);
  }
  throw new Error('the service does not come to rest');
}
