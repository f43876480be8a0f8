import type { TagType } from '../../things/tags/schemas.js';
import { formatNullableTimestamp, formatTimestamp } from '../../kernel/time.js';
import type { MappingPaths, ReaderFormat, TimeUnit } from './formats.js';
import type { Antenna, LocationRule } from './schemas.js';

/** The stored mapping of a `mapped` payload: the paths and the meaning of their values. */
export type Mapping = MappingPaths & { time_unit: TimeUnit; tag_type: TagType };

/** A row of a reader; instants are epoch milliseconds. */
export type ReaderRow = {
  id: number;
  name: string;
  format: ReaderFormat;
  mapping: Mapping | null;
  location_id: number | null;
  antennas: Antenna[];
  mqtt_username: string;
  publish_topic: string;
  /** Further topics of its reads. */
  more_topics: string[];
  resolution_seconds: number;
  use_receipt_time: boolean;
  /** Whether private BLE addresses that are not attached to anything are listed as unknown tags. */
  count_private_addresses: boolean;
  location_rule: LocationRule;
  /** Milliseconds to add to the reader's time to get the service's time; estimated from its messages, 0 until then. */
  clock_offset_ms: number;
  last_message_at: number | null;
  last_connected_at: number | null;
  last_refused_at: number | null;
  last_refusal_reason: string | null;
  created_at: number;
  updated_at: number;
};

type InstantsOfRow = 'last_message_at' | 'last_connected_at' | 'last_refused_at' | 'created_at' | 'updated_at';

/** A reader for administrators. Its password is not stored in any row. */
export type ReaderView = Omit<ReaderRow, 'mapping' | InstantsOfRow> & {
  mapping: MappingPaths | null;
  /** The unit of `mapping.time`; null without a mapping, like `tag_type`. */
  time_unit: TimeUnit | null;
  tag_type: TagType | null;
  /** When its last message arrived, with or without reads, to the second. */
  last_message_at: string | null;
  /**
   * When it was last known to be connected. While it is, this advances every 30 s. Null also for readers of an external
   * broker.
   */
  last_connected_at: string | null;
  /** When a device was last rejected under its user name, and why. */
  last_refused_at: string | null;
  created_at: string;
  updated_at: string;
};

export function readerView(row: ReaderRow): ReaderView {
  const { time_unit = null, tag_type = null, ...paths } = row.mapping ?? {};
  return {
    ...row,
    mapping: row.format === 'mapped' && 'value' in paths ? paths : null,
    time_unit,
    tag_type,
    last_message_at: formatNullableTimestamp(row.last_message_at),
    last_connected_at: formatNullableTimestamp(row.last_connected_at),
    last_refused_at: formatNullableTimestamp(row.last_refused_at),
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
  };
}
