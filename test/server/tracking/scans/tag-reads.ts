import type { ReceivedMessage } from '../../../../server/tracking/scans/batch.js';
import { ingestReads } from '../../../../server/tracking/scans/ingest.js';
import type { TagRead } from '../../../../server/tracking/scans/reader-message.js';
import type { ScanOrganization, ScanWorld, TestReader } from '../../../support/scan-world.js';

/** The tag of the asset in `createFixture`. */
export const epc = 'E2801190A503006543E21224';

/** A whole minute of yesterday, so that times read well. */
export const baseMs = Math.floor((Date.now() - 86_400_000) / 60_000) * 60_000;

export const iso = (ms: number) => new Date(ms).toISOString();

export function read(given: Partial<TagRead> = {}): TagRead {
  return { tagType: 'rfid', value: epc, antenna: 1, rssiDbm: null, observedAtMs: baseMs, ...given };
}

type Sender = { org: ScanOrganization; reader: TestReader };

/** A message of a reader, as the broker passes it on. */
export function message({ org, reader }: Sender, reads: TagRead[], receivedAtMs = Date.now()): ReceivedMessage {
  return {
    message: { orgId: org.orgId, readerId: reader.id, topic: reader.publish_topic, content: { kind: 'reads', reads } },
    receivedAtMs,
  };
}

/** Stores messages as one batch. */
export function ingestInto(world: ScanWorld, messages: readonly ReceivedMessage[]) {
  return ingestReads(world.connections, messages, { retentionDays: 365, waitForTrees: true });
}

/** An organization with a tagged asset, and a reader at a location. */
export async function createFixture(world: ScanWorld, settings: Parameters<ScanOrganization['reader']>[0] = {}) {
  const org = await world.organization();
  const location = await org.location();
  const asset = await org.asset({ tags: [['rfid', epc]] });
  const reader = await org.reader({ location_id: location, resolution_seconds: 0, ...settings });
  return { org, location, asset, reader };
}
