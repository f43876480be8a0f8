import { type Fixture, signTokens } from '../fixture.js';
import type { LoadOrder, LoadReport } from '../load.js';
import { createOperations } from '../operations.js';
import { takeSamples } from '../seed.js';
import type { Load } from '../servers.js';
import { type IngestBench, type LoadShape, type Measured, measureLoad } from './measure.js';

const connections = 16;
/** The readers start before, and end after, the requests. */
const aroundMs = 300;
const warmUpMs = 500;

/** Requests a second, and how long they took. */
export type GetFigures = {
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

export type BesideIngestion = {
  readonly ingestion: Measured;
  readonly gets: GetFigures;
};

export type RequestsBeside = (options: {
  readonly shape: LoadShape;
  readonly ms: number;
  /** By default each connection sends the next request as soon as it has its answer. */
  readonly getsPerSecond?: number;
}) => Promise<BesideIngestion>;

/** Prepares the requests of an operation over HTTP while readers publish. */
export async function prepareRequests(
  bench: IngestBench,
  { fixture, load, operation }: { fixture: Fixture; load: Load; operation: 'GET asset by id' | 'report page' },
): Promise<RequestsBeside> {
  const { world, client, service } = bench;
  const [token = ''] = await signTokens(fixture.database, [world.keyId]);
  const samples = await takeSamples(client, world.orgId);
  const { requests } = createOperations({ token, samples, assets: samples.assetIds.length }).find(
    ({ name }) => name === operation,
  ) ?? { requests: [] };

  function get(order: Pick<LoadOrder, 'requestsPerSecond' | 'until'>): Promise<LoadReport> {
    return load.run({ port: service.port, connections, requests, ...order });
  }

  await get({ until: { ms: warmUpMs } });
  return async ({ shape, ms, getsPerSecond }) => {
    const [ingestion, { answers, elapsedMs, p50Ms, p99Ms }] = await Promise.all([
      measureLoad(bench, shape, ms + 2 * aroundMs),
      new Promise((resolve) => setTimeout(resolve, aroundMs)).then(() =>
        get({ until: { ms }, ...(getsPerSecond !== undefined && { requestsPerSecond: getsPerSecond }) }),
      ),
    ]);
    return { ingestion, gets: { rate: (answers * 1000) / elapsedMs, p50Ms, p99Ms } };
  };
}
