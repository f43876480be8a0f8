import { createApi } from '../../demo/api.js';
import { createOutput } from '../../demo/output.js';
import type { PlayContext } from '../../demo/play.js';
import { createIngestBroker } from '../../ingest-broker/index.js';
import { createLog } from '../../server/kernel/log.js';
import { createWorld, type World } from '../support/world.js';

/** A service with HTTP and MQTT in which the demo can be played. */
export type DemoService = AsyncDisposable & {
  readonly world: World;
  readonly context: PlayContext;
  /** Everything that the demo has written so far. */
  readonly written: readonly string[];
  /** Ends the day as Ctrl-C does. */
  end(): void;
};

export async function createDemoService(): Promise<DemoService> {
  const world = await createWorld();
  const broker = createIngestBroker({ core: world.core, settings: world.settings, log: createLog('silent') });
  const { port } = await broker.listen();
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  const ending = new AbortController();
  return {
    world,
    written,
    end: () => ending.abort(),
    context: {
      api: createApi(world.url, ending.signal),
      mqttUrl: `mqtt://127.0.0.1:${port}`,
      output: createOutput({ progress: stream, results: stream }),
      signal: ending.signal,
    },
    async [Symbol.asyncDispose]() {
      await broker.close();
      await world[Symbol.asyncDispose]();
    },
  };
}
