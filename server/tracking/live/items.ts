import type { OpenCount } from '../../notifying/alerts/queries.js';
import type { ContainerName } from '../../kernel/database/containers.js';
import type { Placement } from '../../kernel/database/placements.js';
import type { KindOfAsset } from '../../things/asset-kinds/schemas.js';

/** An asset's position as stored in the database when the item is sent. Instants are RFC 3339 with milliseconds. */
export type LivePosition = {
  asset_id: number;
  asset_external_key: string;
  asset_name: string;
  /** The id of the asset's kind; null without a kind. */
  kind_id: number | null;
  kind_color: KindOfAsset['color'] | null;
  /** Null if the reader that saw the asset has no location. */
  location_id: number | null;
  location_external_key: string | null;
  location_name: string | null;
  /** The previous location, if it is known and live. */
  from_location_id: number | null;
  from_location_name: string | null;
  /** When it was seen or placed last. */
  asset_last_seen: string;
  /** When the asset arrived at this location. Equals `asset_last_seen` if it has just arrived. */
  located_since: string;
  /** Null if it was seen, not placed. */
  placement: Placement | null;
};

/** The live containers that an asset is in, from the inside out, after its container or its contents changed. */
export type LiveContainment = { asset_id: number; containers: ContainerName[] };

export type LiveItem =
  /**
   * The stream is complete from here on: data that the client requests after this item overlap with what the stream
   * sends.
   */
  | { kind: 'ready' }
  /**
   * Positions that changed, or may have changed, and assets whose container or contents changed, if any. Without both it only advances
   * the cursor.
   */
  | { kind: 'positions'; positions: readonly LivePosition[]; contained?: readonly LiveContainment[] }
  /** Alerts were opened, acknowledged or ended. Carries the number of open alerts. */
  | { kind: 'alerts'; open: OpenCount }
  /** More has changed than is sent: the client has to load everything again. */
  | { kind: 'resync' };

/** An item with its cursor: a subscriber that holds the cursor has received everything before it. */
export type CursorItem = { cursor: string; item: LiveItem };
