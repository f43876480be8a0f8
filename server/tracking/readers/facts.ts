import type { Facts } from '../../people/activity/record.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { locationNames } from './queries.js';
import type { ReaderRow } from './view.js';

/** Returns the settings of readers for the activity log: locations by name, each antenna as a text. */
export async function readerFacts(
  tx: TransactionClient,
  orgId: number,
  readers: readonly ReaderRow[],
): Promise<Facts[]> {
  const ids = readers.flatMap(({ location_id: own, antennas }) => [own, ...antennas.map(({ location_id: at }) => at)]);
  const named = await locationNames(tx, orgId, [...new Set(ids.filter((id) => id !== null))]);
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const nameOf = (id: number | null) => (id === null ? null : (names.get(id) ?? `no. ${id}`));
  return readers.map((reader) => ({
    name: reader.name,
    format: reader.format,
    mapping: reader.mapping,
    location: nameOf(reader.location_id),
    antennas: reader.antennas.map(({ port, location_id: at, kind, min_rssi_dbm: minRssiDbm }) =>
      [`${port}: ${nameOf(at) ?? '–'}`, kind, ...(minRssiDbm === null ? [] : [`from ${minRssiDbm} dBm`])].join(', '),
    ),
    publish_topic: reader.publish_topic,
    resolution_seconds: reader.resolution_seconds,
    use_receipt_time: reader.use_receipt_time,
    location_rule: reader.location_rule,
  }));
}
