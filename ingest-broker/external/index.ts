import { readFileSync } from 'node:fs';
import type { Core, Log, ExternalBroker } from '../../server/index.js';
import type { IngestListener } from '../index.js';
import { createReceiver } from '../receive.js';
import { createArrivals } from './arrivals.js';
import { createDirectory } from './directory.js';
import { createIntake } from './intake.js';
import { createLink } from './link.js';

const closeTimeoutMs = 1500;
const keepAliveMsDefault = 10_000;
// docs/decisions/0017-external-broker.md explains why this is not a client library, and what happens when a process stops.

/** The default group, which is public knowledge. */
const knownGroup = 'whereabouts';

export type ExternalOptions = {
  core: Core;
  broker: ExternalBroker;
  log: Log;
  /** The interval of pings to the broker. */
  keepAliveMs?: number;
};

/**
 * Receives the messages of readers that publish to an external broker. This process shares the messages with others,
 * and acknowledges those that are stored. The broker identifies the senders.
 */
export function createExternalBroker({
  core,
  broker,
  log,
  keepAliveMs = keepAliveMsDefault,
}: ExternalOptions): IngestListener {
  const directory = createDirectory({ core, log });
  const receiver = createReceiver({ core, log });
  const intake = createIntake({ receiver, log, directory });
  const arrivals = createArrivals(intake.take);
  const ca = broker.caFile === undefined ? undefined : readFileSync(broker.caFile);
  const link = createLink({ broker, ca, arrivals, log, keepAliveMs });

  return {
    /** Does not wait for the broker, which may be unavailable. */
    async listen() {
      await directory.start();
      if (broker.group === knownGroup) {
        log.warn(
          'MQTT_GROUP is not set: unless the external broker checks who subscribes to what, set it to a secret name',
        );
      }
      core.outboundPause.whenReleased(() => link.start());
      return {};
    },
    async close() {
      await link.stop(closeTimeoutMs);
      await Promise.all([directory.stop(), receiver.stop()]);
    },
    // While paused, as after a restore, it has nothing to listen to, and the rest of the process works.
    isListening: () => core.outboundPause.isPaused() || link.isSubscribed(),
    stats: () => ({
      connections: Number(link.isSubscribed()),
      messagesUnderWay: arrivals.underWay(),
      droppedMessages: arrivals.droppedMessages(),
      strayMessages: intake.strayMessages(),
    }),
  };
}
