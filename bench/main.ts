import { readAlertsOptions, usage as alertsUsage } from './alerts/options.js';
import { serveReceivers } from './alerts/receivers.js';
import { runAlertsBench } from './alerts/run.js';
import type { Undo } from './fixture.js';
import { readContainersOptions, usage as containersUsage } from './containers/options.js';
import { runContainersBench } from './containers/run.js';
import { readIngestOptions, usage as ingestUsage } from './ingest/options.js';
import { serveReaders } from './ingest/readers.js';
import { runIngestBench } from './ingest/run.js';
import { serveSubscriber } from './ingest/subscriber.js';
import { serveLoad } from './load.js';
import { serveAttacker } from './neighbors/attacker.js';
import { readNeighborsOptions, usage as neighborsUsage } from './neighbors/options.js';
import { runNeighborsBench } from './neighbors/run.js';
import { readReportsOptions, usage as reportsUsage } from './reports/options.js';
import { runReportsBench } from './reports/run.js';
import { readOptions, usage } from './options.js';
import { runBench } from './run.js';
import type { Role } from './servers.js';
import { serveBaseline, type BaselineOrder } from './baseline.js';

/**
 * `npm run bench`, `bench:ingest`, `bench:neighbors`, `bench:alerts`, `bench:reports` and `bench:containers`, and the processes that they
 * start from the same program.
 */
async function main(): Promise<void> {
  const [what, ...args] = process.argv.slice(2);
  if (what === 'as') return roles[args[0] as Role]();
  if (what === 'ingest') return orchestrate(ingestUsage, (undo) => runIngestBench(readIngestOptions(args), undo));
  if (what === 'neighbors') {
    return orchestrate(neighborsUsage, (undo) => runNeighborsBench(readNeighborsOptions(args), undo));
  }
  if (what === 'alerts') return orchestrate(alertsUsage, (undo) => runAlertsBench(readAlertsOptions(args), undo));
  if (what === 'reports') return orchestrate(reportsUsage, (undo) => runReportsBench(readReportsOptions(args), undo));
  if (what === 'containers') {
    return orchestrate(containersUsage, (undo) => runContainersBench(readContainersOptions(args), undo));
  }
  return orchestrate(usage, (undo) => runBench(readOptions(process.argv.slice(2)), undo));
}

const roles: Readonly<Record<Role, () => void>> = {
  load: serveLoad,
  baseline: becomeBaseline,
  readers: serveReaders,
  subscriber: serveSubscriber,
  attacker: serveAttacker,
  receivers: serveReceivers,
};

function becomeBaseline(): void {
  process.once('message', (order: BaselineOrder) => {
    void serveBaseline(order).then((port) => process.send?.({ port }));
  });
  process.on('disconnect', () => process.exit());
}

/** Stops everything that was started and removes everything that was created, however the run ends. */
async function orchestrate(usageOfIt: string, run: (undo: Undo) => Promise<void>): Promise<void> {
  if (process.argv.includes('--help')) {
    console.log(usageOfIt);
    return;
  }
  const undo: Undo = [];
  let ending: Promise<void> | undefined;

  async function cleanUp(): Promise<void> {
    for (const step of undo.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        console.error(error);
      }
    }
  }

  for (const [number, signal] of [
    [1, 'SIGHUP'],
    [2, 'SIGINT'],
    [15, 'SIGTERM'],
  ] as const) {
    process.on(signal, () => {
      ending ??= cleanUp().then(() => process.exit(128 + number));
    });
  }
  try {
    await run(undo);
  } catch (error) {
    // Failures while everything is being stopped are expected.
    if (!ending) console.error(explain(error, usageOfIt));
    process.exitCode = 1;
  }
  ending ??= cleanUp();
  await ending;
}

function explain(error: unknown, usageOfIt: string): unknown {
  const isOfArguments = error instanceof RangeError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  return isOfArguments ? `${String(error)}\n\n${usageOfIt}` : error;
}

await main();
