import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from '../servers.js';

const POLL_MS = 20;
const PATIENCE_MS = 60_000;

/**
 * Waits until the service has stored all it has taken in, by its own metrics: at QoS 0 nothing else tells.
 *
 * @returns how long that was, in milliseconds
 */
export async function untilIdle({ port }: Server): Promise<number> {
  const startedAt = performance.now();
  let busyUntil = startedAt;
  let previous = '';
  while (performance.now() - startedAt < PATIENCE_MS) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const messages = valueOf(text, 'ingest_messages_total');
    const isIdle =
      valueOf(text, 'ingest_waiting_messages') === '0' && valueOf(text, 'broker_messages_under_way') === '0';
    // What is on its way from the socket to the queue shows in no metric, so it has to be idle twice.
    if (isIdle && previous === messages) return busyUntil - startedAt;
    previous = isIdle ? messages : '';
    busyUntil = performance.now();
    await delay(POLL_MS);
  }
  throw new Error('the service does not come to rest');
}

function valueOf(metrics: string, name: string): string {
  const value = new RegExp(`^whereabouts_${name} (\\d+)`, 'm').exec(metrics)?.[1];
  if (value === undefined) throw new Error(`the service has no metric ${name}`);
  return value;
}
