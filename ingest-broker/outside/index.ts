import { readFileSync } from 'node:fs';
import type { Core, Log, OutsideBroker } from '../../server/index.js';
import type { IngestDoor } from '../index.js';
import { createArrivals } from './arrivals.js';
import { createDirectory } from './directory.js';
import { createIntake } from './intake.js';
import { createLink } from './link.js';

const closePatienceMs = 1500;
const pulseMs = 10_000;

/**
 * The door for readers that publish to a broker elsewhere: this process shares its messages with others, and
 * acknowledges to it what is stored. Who sent a message is what that broker says.
 */
export function createOutsideBroker({
  core,
  broker,
  log,
}: {
  core: Core;
  broker: OutsideBroker;
  log: Log;
}): IngestDoor {
  const directory = createDirectory({ core, log });
  const intake = createIntake({ core, log, directory });
  const arrivals = createArrivals(intake.take);
  const ca = broker.caFile === undefined ? undefined : readFileSync(broker.caFile);
  const link = createLink({ broker, ca, arrivals, log, pulseMs });

  return {
    /** Does not wait for the broker, which may be away now and then, like any other. */
    async listen() {
      await directory.start();
      link.start();
      return {};
    },
    async close() {
      await link.stop(closePatienceMs);
      await directory.stop();
    },
    isListening: () => link.isSubscribed(),
    stats: () => ({
      connections: Number(link.isSubscribed()),
      messagesUnderWay: arrivals.underWay(),
      droppedMessages: arrivals.droppedMessages(),
      strayMessages: intake.strayMessages(),
    }),
  };
}
