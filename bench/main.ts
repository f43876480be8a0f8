import { serveLoad } from './load.js';
import { readOptions, usage } from './options.js';
import { runBench, type Undo } from './run.js';
import { serveYardstick, type YardstickOrder } from './yardstick.js';

/** `npm run bench`, and the two processes that it starts of the same program. */
async function main(): Promise<void> {
  const [role] = process.argv.slice(2);
  if (role === 'load') return serveLoad();
  if (role === 'yardstick') return becomeYardstick();
  return orchestrate();
}

function becomeYardstick(): void {
  process.once('message', (order: YardstickOrder) => {
    void serveYardstick(order).then((port) => process.send?.({ port }));
  });
  process.on('disconnect', () => process.exit());
}

/** However the run ends, what it started is stopped and what it made is removed. */
async function orchestrate(): Promise<void> {
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
    await runBench(readOptions(process.argv.slice(2)), undo);
  } catch (error) {
    // What breaks while everything is being stopped is no news.
    if (!ending) console.error(explain(error));
    process.exitCode = 1;
  }
  ending ??= cleanUp();
  await ending;
}

function explain(error: unknown): unknown {
  const isOfArguments = error instanceof RangeError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  return isOfArguments ? `${String(error)}\n\n${usage}` : error;
}

await main();
