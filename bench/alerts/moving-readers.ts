import { setTimeout as delay } from 'node:timers/promises';
import { connectPublisher } from '../ingest/publisher.js';
import type { IngestWorld } from '../ingest/seed.js';
import { reportProgress } from '../fixture.js';

export type MovingLoad = {
  mqttPort: number;
  readsPerSecond: number;
  ms: number;
  /** In one of this many reads, a reader reads a tag of the next reader's share, so that the asset moves there and back. */
  foreignEvery: number;
};

const readsPerMessage = 10;
const window = 200;

/**
 * Publishes reads at an even rate by all readers. Each reads its share of the tags round-robin, and sometimes a tag of
 * the next reader's share. Resolves once all are acknowledged, with their number.
 */
export async function publishMoves(world: IngestWorld, load: MovingLoad): Promise<number> {
  const { accounts, tags } = world;
  const publishers = await Promise.all(
    accounts.map((account) =>
      connectPublisher({
        port: load.mqttPort,
        account,
        qos: 1,
        window,
        onAck: () => {},
        onCapacity: () => {},
        onFailure: (error) => reportProgress(String(error)),
      }),
    ),
  );
  const share = Math.floor(tags.length / accounts.length);
  const intervalMs = (1000 * readsPerMessage) / load.readsPerSecond;
  const messages = Math.floor(load.ms / intervalMs);
  const startedAt = performance.now();
  let reads = 0;
  for (let message = 0; message < messages; message += 1) {
    const reader = message % publishers.length;
    const values = Array.from({ length: readsPerMessage }, () => {
      reads += 1;
      const index = Math.floor(reads / publishers.length) % share;
      const owner = reads % load.foreignEvery === 0 ? (reader + 1) % publishers.length : reader;
      return tags[owner * share + index];
    });
    const at = new Date().toISOString();
    const payload = JSON.stringify({
      reads: values.map((value) => ({ value, antenna: 1, rssi_dbm: -50, observed_at: at })),
    });
    publishers[reader]?.send(Buffer.from(payload), performance.now());
    const aheadMs = startedAt + message * intervalMs - performance.now();
    if (aheadMs > 1) await delay(aheadMs);
  }
  await Promise.all(publishers.map((publisher) => publisher.settled()));
  for (const publisher of publishers) publisher.close();
  return reads;
}
