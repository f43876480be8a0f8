import { readFileSync } from 'node:fs';
import type { Core, Log, ExternalBroker } from '../../server/index.js';
import type { IngestListener } from '../index.js';
import { createArrivals } from './arrivals.js';
import { createDirectory } from './directory.js';
import { createIntake } from './intake.js';
import { createLink } from './link.js';

const closePatienceMs = 1500;
const keepAliveMsDefault = 10_000;
/** The group that everybody can read about. */
const knownGroup = 'whereabouts';

export type ExternalOptions = {
  core: Core;
  broker: ExternalBroker;
  log: Log;
  /** How often the broker is asked whether it is there. */
  keepAliveMs?: number;
};

/**
 * Receives the messages of readers that publish to an external broker: this process shares its messages with others, and
 * acknowledges to it what is stored. Who sent a message is what that broker says.
 */
export function createExternalBroker({
  core,
  broker,
  log,
  keepAliveMs = keepAliveMsDefault,
}: ExternalOptions): IngestListener {
  const directory = createDirectory({ core, log });
  const intake = createIntake({ core, log, directory });
  const arrivals = createArrivals(intake.take);
  const ca = broker.caFile === undefined ? undefined : readFileSync(broker.caFile);
  const link = createLink({ broker, ca, arrivals, log, keepAliveMs });

  return {
    /** Does not wait for the broker, which may be away now and then, like any other. */
    async listen() {
      await directory.start();
      if (broker.group === knownGroup) {
        log.warn(
          'MQTT_GROUP is not set: unless the external broker checks who subscribes to what, set it to a secret name',
        );
      }
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
