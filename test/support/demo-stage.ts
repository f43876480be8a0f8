import { createApi } from '../../demo/api.js';
import { createOutput } from '../../demo/output.js';
import type { Stage } from '../../demo/play.js';
import { createIngestBroker } from '../../ingest-broker/index.js';
import { createLog } from '../../server/log.js';
import { createWorld, type World } from './world.js';

/** A service with both doors, for a demo to be played on. */
export interface DemoStage extends AsyncDisposable {
  readonly world: World;
  readonly stage: Stage;
  /** Everything that the demo has told so far. */
  readonly told: readonly string[];
  /** As Ctrl-C does. */
  end(): void;
}

export async function createDemoStage(): Promise<DemoStage> {
  const world = await createWorld();
  const broker = createIngestBroker({ core: world.core, settings: world.settings, log: createLog('silent') });
  const { port } = await broker.listen();
  const told: string[] = [];
  const stream = { write: (text: string) => told.push(text) };
  const ending = new AbortController();
  return {
    world,
    told,
    end: () => ending.abort(),
    stage: {
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
