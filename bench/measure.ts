import type { Operation } from './operations.js';
import type { Load, Server } from './servers.js';
import { processorMs } from './usage.js';

/** The figures of one server: the median of its rounds. Times are for one request; undefined without `/proc`. */
export type Figures = {
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of the server. */
  readonly ownMs: number | undefined;
  /** Processor time of PostgreSQL. */
  readonly databaseMs: number | undefined;
};

export type Measured = {
  readonly operation: Operation;
  readonly service: Figures;
  readonly baseline: Figures;
  /** The median of the rounds' ratios, each of two consecutive rounds. */
  readonly ratio: number;
};

export type Bench = {
  readonly service: Server;
  readonly baseline: Server;
  readonly load: Load;
  readonly postmasterPid: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly roundMs: number;
  readonly rounds: number;
};

/**
 * Measures service and baseline alternately, also in their order, so that a temporary slowdown of the machine affects
 * both.
 *
 * @throws Error for an answer that is not 2xx, or if the two answer with bodies of different lengths
 */
export async function measure(bench: Bench, operation: Operation): Promise<Measured> {
  const { service, baseline, rounds } = bench;
  for (const server of [service, baseline]) await measureRound(bench, server, { operation, ms: bench.warmUpMs });
  const pairs: { service: Round; baseline: Round }[] = [];
  for (let number = 0; number < rounds; number += 1) {
    const order = { operation, ms: bench.roundMs };
    if (number % 2 === 0) {
      const own = await measureRound(bench, service, order);
      pairs.push({ service: own, baseline: await measureRound(bench, baseline, order) });
    } else {
      const other = await measureRound(bench, baseline, order);
      pairs.push({ service: await measureRound(bench, service, order), baseline: other });
    }
  }
  return {
    operation,
    service: figuresOf(pairs.map((pair) => pair.service)),
    baseline: figuresOf(pairs.map((pair) => pair.baseline)),
    ratio: median(pairs.map((pair) => pair.service.rate / pair.baseline.rate)),
  };
}

type Round = Figures;

async function measureRound(
  { load, connections, postmasterPid }: Bench,
  server: Server,
  { operation, ms }: { operation: Operation; ms: number },
): Promise<Round> {
  const before = { own: processorMs(server.pid), database: processorMs(postmasterPid) };
  const { requests } = operation;
  const { answers, elapsedMs, p50Ms, p99Ms } = await load.run({
    port: server.port,
    connections,
    requests,
    until: { ms },
  });
  const since = (start: number | undefined, end: number | undefined) =>
    start === undefined || end === undefined ? undefined : (end - start) / answers;
  return {
    rate: (answers * 1000) / elapsedMs,
    p50Ms,
    p99Ms,
    ownMs: since(before.own, processorMs(server.pid)),
    databaseMs: since(before.database, processorMs(postmasterPid)),
  };
}

function figuresOf(rounds: readonly Round[]): Figures {
  const of = (figure: keyof Figures) => {
    const values = rounds.flatMap((round) => round[figure] ?? []);
    return values.length === rounds.length ? median(values) : undefined;
  };
  return {
    rate: of('rate') ?? 0,
    p50Ms: of('p50Ms') ?? 0,
    p99Ms: of('p99Ms') ?? 0,
    ownMs: of('ownMs'),
    databaseMs: of('databaseMs'),
  };
}

/** Returns the median; for an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
