import type { OpenCount } from '../alerts/open-count.js';

/** Where an asset is, as it stands in the database when it is sent. Instants are RFC 3339 with milliseconds. */
export type LivePosition = {
  asset_id: number;
  asset_external_key: string;
  asset_name: string;
  /** Null where the reader that saw it has no location. */
  location_id: number | null;
  location_external_key: string | null;
  location_name: string | null;
  /** Where it was before that, if that is known and the location is live. */
  from_location_id: number | null;
  from_location_name: string | null;
  asset_last_seen: string;
  /** Since when it has been at this location; equals `asset_last_seen` if it has just come. */
  located_since: string;
};

export type LiveItem =
  /** From here on nothing is missed: what is asked for now and what is told from now on overlap. */
  | { kind: 'ready' }
  /** Positions that changed, or may have. Empty ones say that nothing did. */
  | { kind: 'positions'; positions: readonly LivePosition[] }
  /** Alerts were opened, acknowledged or ended; how many are open now. */
  | { kind: 'alerts'; open: OpenCount }
  /** More has changed than is told: what is shown is to be asked for again. */
  | { kind: 'resync' };

/** An item with the mark up to which whoever has it has everything. */
export type MarkedItem = { mark: string; item: LiveItem };
