import type { IngestDoor } from '../../ingest-broker/index.js';
import { createOutsideBroker } from '../../ingest-broker/outside/index.js';
import type { Log, OutsideBroker } from '../../server/index.js';
import { outsideBroker } from './outside-world.js';
import type { ScanWorld } from './scan-world.js';
import type { FakeBroker, FakePeer } from './fake-broker.js';

/** An ingest process as a client of a broker, connected or not. Disposing of it closes it. */
export type OutsideDoor = IngestDoor & AsyncDisposable;

export type DoorOptions = Partial<OutsideBroker> & { pulseMs?: number; log?: Log };

export async function openOutsideDoor(
  world: ScanWorld,
  { port }: Pick<FakeBroker, 'port'>,
  { pulseMs = 10_000, log = world.log, ...more }: DoorOptions = {},
): Promise<OutsideDoor> {
  const door = createOutsideBroker({ core: world.core, log, pulseMs, broker: { ...outsideBroker(port), ...more } });
  await door.listen();
  return { ...door, [Symbol.asyncDispose]: () => door.close() };
}

/** The same, let in by a broker of a test's own. */
export async function openAdmittedDoor(
  world: ScanWorld,
  broker: FakeBroker,
  options?: DoorOptions,
): Promise<OutsideDoor & { peer: FakePeer }> {
  const door = await openOutsideDoor(world, broker, options);
  return { ...door, peer: await broker.admit() };
}
