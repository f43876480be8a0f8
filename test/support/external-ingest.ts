import type { IngestListener } from '../../ingest-broker/index.js';
import { createExternalBroker } from '../../ingest-broker/external/index.js';
import type { Log, ExternalBroker } from '../../server/index.js';
import { externalBroker } from './external-world.js';
import type { ScanWorld } from './scan-world.js';
import type { FakeBroker, FakePeer } from './fake-broker.js';

/** An ingest process as a client of a broker, connected or not. Disposing of it closes it. */
export type ExternalIngest = IngestListener & AsyncDisposable;

export type ListenerOptions = Partial<ExternalBroker> & { keepAliveMs?: number; log?: Log };

export async function openExternalIngest(
  world: ScanWorld,
  { port }: Pick<FakeBroker, 'port'>,
  { keepAliveMs = 10_000, log = world.log, ...more }: ListenerOptions = {},
): Promise<ExternalIngest> {
  const ingest = createExternalBroker({
    core: world.core,
    log,
    keepAliveMs,
    broker: { ...externalBroker(port), ...more },
  });
  await ingest.listen();
  return { ...ingest, [Symbol.asyncDispose]: () => ingest.close() };
}

/** The same, accepted by a broker of the test. */
export async function openSubscribedIngest(
  world: ScanWorld,
  broker: FakeBroker,
  options?: ListenerOptions,
): Promise<ExternalIngest & { peer: FakePeer }> {
  const ingest = await openExternalIngest(world, broker, options);
  return { ...ingest, peer: await broker.admit() };
}
