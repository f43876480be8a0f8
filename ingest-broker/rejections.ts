import type { Core, Log } from '../server/index.js';
import type { Connection } from './connection.js';
import { createLogBudget } from './log-budget.js';
import type { Violation } from './wire/intake.js';
import { type Packet, packetTypes } from './wire/packet-types.js';
import { OversizedPacketError, StalledPacketError } from './wire/violation.js';

const loggedPerSecondMax = 20;
const nothing = Buffer.alloc(0);

/**
 * Reports connections that end because of what a client sent: in the log, and for an authenticated reader among the
 * rejected messages, where its administrators see it.
 */
export function createRejections({ core, log, payloadBytesMax }: { core: Core; log: Log; payloadBytesMax: number }) {
  const mayLog = createLogBudget(loggedPerSecondMax);

  function reasonOf({ error }: Violation): string {
    if (error instanceof StalledPacketError) return `the connection ended at ${error.message}`;
    if (!(error instanceof OversizedPacketError)) return `the connection ended, as this is not MQTT: ${error.message}`;
    return `the connection ended at ${error.message}; the payload of a message may have ${payloadBytesMax}`;
  }

  return function reject({ login, remoteAddress }: Connection, violation: Violation): void {
    const reason = reasonOf(violation);
    log[mayLog() ? 'warn' : 'debug']({ readerId: login?.readerId, remoteAddress, reason }, 'a connection was ended');
    if (!login) return;
    const { packet } = violation;
    const topic = packet ? topicOf(packet) : '';
    // A CONNECT contains the password.
    const payload = packet && packet.type !== packetTypes.connect ? packet.bytes : nothing;
    const content = { kind: 'rejected', reason, payload } as const;
    const { orgId, readerId } = login;
    core.ingestion.ingest({ orgId, readerId, topic, content }).catch(() => {});
  };
}

/** Returns the topic of a PUBLISH, as far as it can be parsed. */
function topicOf({ type, body }: Packet): string {
  if (type !== packetTypes.publish || body.length < 2) return '';
  return body.subarray(2, 2 + body.readUInt16BE()).toString();
}
