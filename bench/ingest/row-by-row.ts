import type { Undo } from '../fixture.js';
import { startWorker } from '../servers.js';
import type { IngestBench, LoadShape } from './measure.js';
import { startMosquitto } from './mosquitto.js';
import { per10000, startProcessorTimes, sum } from './processor.js';
import type { SubscriberOrder } from './subscriber.js';
import { createTwin, type BaselineFigures } from './twin.js';

/** Messages that estimate the speed before the measurement. */
const trialMessages = 200;

/** The other baseline: Mosquitto, and a Node subscriber that inserts row by row. */
export type RowByRow = {
  /**
   * Sends about the number of messages that it can store in the time, and waits until all are stored.
   *
   * @throws Error if rows are missing
   */
  measure(ms: number): Promise<BaselineFigures>;
};

/** @returns undefined if Mosquitto is not installed */
export async function prepareRowByRow(
  bench: IngestBench,
  shape: LoadShape,
  { folder, databaseUrl, undo }: { folder: string; databaseUrl: string; undo: Undo },
): Promise<RowByRow | undefined> {
  const { client, world, readers, window, postmasterPid } = bench;
  const broker = await startMosquitto(folder);
  if (!broker) return undefined;
  const { pid: mosquitto, port } = broker;
  undo.push(() => broker.stop());
  const subscriber = startWorker<SubscriberOrder, void>('subscriber');
  undo.push(() => subscriber.stop());
  const table = await createTwin(client, 'row_by_row');
  const { orgId } = world;
  const assetIds = await assetsByTag(bench);
  await subscriber.run({ mqttPort: port, databaseUrl, table, orgId, assetIds });
  let published = 0;

  async function count(): Promise<number> {
    const { rows } = await client.query<{ rows: number }>(`SELECT count(*)::float8 AS rows FROM ${table}`);
    return rows[0]?.rows ?? 0;
  }
  const rowsBefore = await count();

  async function publishAndStore(messages: number): Promise<BaselineFigures> {
    const rows = messages * shape.readsPerMessage;
    const processor = startProcessorTimes({ subscriber: subscriber.pid, mosquitto, database: postmasterPid });
    const startedAt = performance.now();
    await readers.run({
      port,
      readers: world.accounts.slice(0, shape.readers),
      tags: world.tags,
      scene: 'shares',
      readsPerMessage: shape.readsPerMessage,
      qos: shape.qos,
      window,
      messagesPerSecond: undefined,
      until: { messages },
    });
    published += rows;
    await subscriber.run({ untilRows: published });
    const elapsedMs = performance.now() - startedAt;
    const used = processor();
    const stored = (await count()) - rowsBefore;
    if (stored !== published) throw new Error(`row by row, ${published} reads became ${stored} rows`);
    return {
      rate: (rows * 1000) / elapsedMs,
      clientMs: per10000(sum([used.subscriber, used.mosquitto]), rows),
      databaseMs: per10000(used.database, rows),
    };
  }

  let { rate } = await publishAndStore(trialMessages);
  return {
    async measure(ms) {
      const figures = await publishAndStore(Math.ceil((rate * ms) / 1000 / shape.readsPerMessage));
      rate = figures.rate;
      return figures;
    },
  };
}

async function assetsByTag({ client, world }: IngestBench): Promise<Record<string, number>> {
  const { rows } = await client.query<{ value: string; asset_id: number }>(
    'SELECT value, asset_id FROM tags WHERE org_id = $1 AND value = ANY ($2) AND deleted_at IS NULL',
    [world.orgId, world.tags],
  );
  return Object.fromEntries(rows.map(({ value, asset_id }) => [value, asset_id]));
}
