import pg from 'pg';
import { reportProgress } from '../fixture.js';
import { median } from '../measure.js';
import { insertBatches, readBatches } from './batch-insert.js';
import { type IngestBench, type LoadShape, type Measured, measureLoad, medianOf } from './measure.js';
import type { RowByRow } from './row-by-row.js';
import { createTwin, type BaselineFigures } from './twin.js';

export type MainLoad = {
  readonly service: Measured;
  readonly oneConnection: BaselineFigures;
  readonly twoConnections: BaselineFigures;
  readonly rowByRow: BaselineFigures | undefined;
  /** Of the service and a baseline, the median of the rounds' ratios. */
  readonly ratios: { readonly batch: number; readonly rowByRow: number | undefined };
};

type Round = {
  service: Measured;
  overOne: BaselineFigures;
  overTwo: BaselineFigures;
  row: BaselineFigures | undefined;
};

/**
 * Measures service and baselines alternately, so that a temporary slowdown of the machine affects all of them. Each
 * begins after a checkpoint.
 */
export async function measureMainLoad(
  bench: IngestBench,
  shape: LoadShape,
  {
    databaseUrl,
    rounds,
    roundMs,
    rowByRow,
  }: { databaseUrl: string; rounds: number; roundMs: number; rowByRow: RowByRow | undefined },
): Promise<MainLoad> {
  const { client, postmasterPid, world } = bench;
  const [one, two] = [await createTwin(client, 'one_connection'), await createTwin(client, 'two_connections')];
  const connections = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)];
  for (const connection of connections) await connection.connect();
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await client.query('CHECKPOINT');
    const service = await measureLoad(bench, shape, roundMs);
    const batches = await readBatches(client, world.orgId, service.startedAtMs);
    await client.query('CHECKPOINT');
    const overOne = await insertBatches(connections.slice(0, 1), batches, { table: one, postmasterPid });
    const overTwo = await insertBatches(connections, batches, { table: two, postmasterPid });
    await client.query('CHECKPOINT');
    const row = await rowByRow?.measure(roundMs / 2);
    measured.push({ service, overOne, overTwo, row });
    const rates = [service, overOne, overTwo, row].map((figures) => figures?.rate.toFixed(0) ?? 'not measured');
    reportProgress(
      `  ${rates[0]} reads/s; in batches ${rates[1]}, over two connections ${rates[2]}; row by row ${rates[3]}`,
    );
  }
  for (const connection of connections) await connection.end();
  const rows = measured.flatMap(({ row }) => row ?? []);
  return {
    service: medianOf(measured.map(({ service }) => service)),
    oneConnection: medianFigures(measured.map(({ overOne }) => overOne)),
    twoConnections: medianFigures(measured.map(({ overTwo }) => overTwo)),
    rowByRow: rowByRow && medianFigures(rows),
    ratios: {
      batch: median(measured.map(({ service, overOne }) => service.rate / overOne.rate)),
      rowByRow: rowByRow && median(measured.map(({ service }, round) => service.rate / (rows[round]?.rate ?? 0))),
    },
  };
}

function medianFigures(rounds: readonly BaselineFigures[]): BaselineFigures {
  const of = (figure: keyof BaselineFigures) => {
    const values = rounds.flatMap((round) => round[figure] ?? []);
    return values.length === rounds.length ? median(values) : undefined;
  };
  return { rate: of('rate') ?? 0, clientMs: of('clientMs'), databaseMs: of('databaseMs') };
}
