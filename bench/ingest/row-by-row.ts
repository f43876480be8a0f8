import type { Undo } from '../ground.js';
import { type Server, startWorker, type Worker } from '../servers.js';
import type { IngestBench, LoadShape } from './measure.js';
import { startMosquitto } from './mosquitto.js';
import { per10000, startProcessorTimes, sum } from './processor.js';
import type { SubscriberOrder } from './subscriber.js';
import { createTwin, type YardstickFigures } from './twin.js';

/** Messages that tell how fast it is, before it is measured for a time. */
const TRIAL_MESSAGES = 200;

/**
 * The other yardstick: Mosquitto, and a Node subscriber that inserts row by row. It is given as many messages as it can
 * store in about the time given, and measured until it has stored them all.
 *
 * @returns undefined where Mosquitto is not installed
 * @throws Error where rows are missing
 */
export async function measureRowByRow(
  bench: IngestBench,
  shape: LoadShape,
  { ms, folder, databaseUrl, undo }: { ms: number; folder: string; databaseUrl: string; undo: Undo },
): Promise<YardstickFigures | undefined> {
  const { client, world } = bench;
  const mosquitto = await startMosquitto(folder);
  if (!mosquitto) return undefined;
  undo.push(() => mosquitto.stop());
  const subscriber = startWorker<SubscriberOrder, void>('subscriber');
  undo.push(() => subscriber.stop());
  const table = await createTwin(client, 'row_by_row');
  const { orgId } = world;
  const assetIds = await assetsByTag(bench);
  await subscriber.run({ mqttPort: mosquitto.port, databaseUrl, table, orgId, assetIds });

  const count = async () =>
    (await client.query<{ rows: number }>(`SELECT count(*)::float8 AS rows FROM ${table}`)).rows[0]?.rows ?? 0;
  const rowsBefore = await count();
  const trial = await publishAndStore(bench, { mosquitto, subscriber, shape, messages: TRIAL_MESSAGES, rowsSoFar: 0 });
  const messages = Math.max(TRIAL_MESSAGES, Math.round((trial.rate / shape.readsPerMessage) * (ms / 1000)));
  await client.query('CHECKPOINT');
  const rowsSoFar = TRIAL_MESSAGES * shape.readsPerMessage;
  const figures = await publishAndStore(bench, { mosquitto, subscriber, shape, messages, rowsSoFar });
  const stored = (await count()) - rowsBefore;
  const published = (TRIAL_MESSAGES + messages) * shape.readsPerMessage;
  await subscriber.stop();
  await mosquitto.stop();
  if (stored !== published) throw new Error(`row by row, ${published} reads became ${stored} rows`);
  return figures;
}

type Part = {
  mosquitto: Server;
  subscriber: Worker<SubscriberOrder, void>;
  shape: LoadShape;
  messages: number;
  rowsSoFar: number;
};

async function publishAndStore(
  { readers, world, window, postmasterPid }: IngestBench,
  { mosquitto, subscriber, shape, messages, rowsSoFar }: Part,
): Promise<YardstickFigures> {
  const rows = messages * shape.readsPerMessage;
  const processor = startProcessorTimes({
    subscriber: subscriber.pid,
    mosquitto: mosquitto.pid,
    database: postmasterPid,
  });
  const startedAt = performance.now();
  await readers.run({
    port: mosquitto.port,
    readers: world.accounts.slice(0, shape.readers),
    tags: world.tags,
    readsPerMessage: shape.readsPerMessage,
    qos: shape.qos,
    window,
    messagesPerSecond: undefined,
    until: { messages },
  });
  await subscriber.run({ untilRows: rowsSoFar + rows });
  const elapsedMs = performance.now() - startedAt;
  const used = processor();
  return {
    rate: (rows * 1000) / elapsedMs,
    clientMs: per10000(sum([used.subscriber, used.mosquitto]), rows),
    databaseMs: per10000(used.database, rows),
  };
}

async function assetsByTag({ client, world }: IngestBench): Promise<Record<string, number>> {
  const { rows } = await client.query<{ value: string; asset_id: number }>(
    'SELECT value, asset_id FROM tags WHERE org_id = $1 AND value = ANY ($2) AND deleted_at IS NULL',
    [world.orgId, world.tags],
  );
  return Object.fromEntries(rows.map(({ value, asset_id }) => [value, asset_id]));
}
