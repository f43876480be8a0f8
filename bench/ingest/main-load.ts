import pg from 'pg';
import { tell } from '../ground.js';
import { median } from '../measure.js';
import { insertBatches, readBatches } from './batch-insert.js';
import { type IngestBench, type LoadShape, type Measured, measureLoad, medianOf } from './measure.js';
import { createTwin, type YardstickFigures } from './twin.js';

export interface MainLoad {
  readonly service: Measured;
  readonly oneConnection: YardstickFigures;
  readonly twoConnections: YardstickFigures;
  /** The median of the rounds' ratios, each of the service and of the same rows over one connection. */
  readonly ratio: number;
}

/** Service and batches in turn, so that what slows the machine for a while slows both. Both begin after a checkpoint. */
export async function measureMainLoad(
  bench: IngestBench,
  shape: LoadShape,
  { databaseUrl, rounds, roundMs }: { databaseUrl: string; rounds: number; roundMs: number },
): Promise<MainLoad> {
  const { client, postmasterPid, world } = bench;
  const [one, two] = [await createTwin(client, 'one_connection'), await createTwin(client, 'two_connections')];
  const connections = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)];
  for (const connection of connections) await connection.connect();
  const measured: { service: Measured; one: YardstickFigures; two: YardstickFigures }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await client.query('CHECKPOINT');
    const service = await measureLoad(bench, shape, roundMs);
    const batches = await readBatches(client, world.orgId, service.startedAtMs);
    await client.query('CHECKPOINT');
    const figures = {
      service,
      one: await insertBatches(connections.slice(0, 1), batches, { table: one, postmasterPid }),
      two: await insertBatches(connections, batches, { table: two, postmasterPid }),
    };
    measured.push(figures);
    const [stored, overOne, overTwo] = [service, figures.one, figures.two].map(({ rate }) => rate.toFixed(0));
    tell(`  ${stored} reads/s; the same rows in batches ${overOne}/s, over two connections ${overTwo}/s`);
  }
  for (const connection of connections) await connection.end();
  return {
    service: medianOf(measured.map(({ service }) => service)),
    oneConnection: medianFigures(measured.map((round) => round.one)),
    twoConnections: medianFigures(measured.map((round) => round.two)),
    ratio: median(measured.map((round) => round.service.rate / round.one.rate)),
  };
}

function medianFigures(rounds: readonly YardstickFigures[]): YardstickFigures {
  const of = (figure: keyof YardstickFigures) => {
    const values = rounds.flatMap((round) => round[figure] ?? []);
    return values.length === rounds.length ? median(values) : undefined;
  };
  return { rate: of('rate') ?? 0, clientMs: of('clientMs'), databaseMs: of('databaseMs') };
}
