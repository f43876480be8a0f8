import type { BrokerWorld } from '../../support/mqtt.js';
import type { ScanOrganization } from '../../support/scan-world.js';

/** An organization with a reader of the service's own format, and the topic of its commands. */
export async function createNativeReader(world: BrokerWorld) {
  const org = await world.organization();
  const reader = await org.reader({ format: 'native' });
  return { org, reader, commands: `readers/${reader.mqtt_username}/commands` };
}

/** How often each value was read, as the organization sees it. */
export async function countsOf(org: ScanOrganization): Promise<Record<string, number>> {
  const { data } = await org.admin.scans.unknownTags();
  return Object.fromEntries(data.map(({ value, count }) => [value, count]));
}
