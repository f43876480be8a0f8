import type { MqttClient } from 'mqtt';
import { type BrokerWorld, closed } from '../support/mqtt.js';
import type { ScanOrganization } from '../support/scan-world.js';

/** The tag of the asset in `createFixture`. */
export const epc = 'E2801190A503006543E21224';

/** An organization with a tagged asset, and a CS463 at a dock. */
export async function createFixture(world: BrokerWorld, settings: Parameters<ScanOrganization['reader']>[0] = {}) {
  const org = await world.organization();
  const dock = await org.location();
  const asset = await org.asset({ tags: [['rfid', epc]] });
  const reader = await org.reader({ format: 'csl_cs463', location_id: dock, ...settings });
  return { org, dock, asset, reader };
}

/** Resolves to whether the message was acknowledged before the connection ended. */
export async function isAcknowledged(client: MqttClient, topic: string, payload: string | Buffer): Promise<boolean> {
  const ended = closed(client).then(() => false);
  const acknowledged = client.publishAsync(topic, payload, { qos: 1 }).then(
    () => true,
    () => false,
  );
  return Promise.race([acknowledged, ended]);
}

export async function rejections(org: ScanOrganization) {
  return (await org.admin.scans.rejectedMessages()).data;
}
