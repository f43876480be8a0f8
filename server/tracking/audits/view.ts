import { type ContractError, refusal } from '../../kernel/errors.js';
import { formatNullableTimestamp, formatTimestamp } from '../../kernel/time.js';
import type { DifferenceRow, ItemRow } from './item-queries.js';
import type { AuditRow } from './list-queries.js';
import type { AuditOutcome } from './schemas.js';

/** A saved audit of a location. */
export type AuditView = {
  id: string;
  location: { id: number; name: string; external_key: string; is_deleted: boolean };
  started_at: string;
  saved_at: string;
  /** Null if the user no longer exists. */
  saved_by: string | null;
} & Record<AuditOutcome, number>;

/**
 * The outcome of an audit for one asset, or for a tag that is not attached to anything. Names are those at that time.
 */
export type AuditItemView = {
  position: number;
  outcome: AuditOutcome;
  /** Null for a tag. */
  asset: { id: number; external_key: string } | null;
  name: string;
  /** The last location before the audit was saved. */
  last_location: { id: number; name: string } | null;
  last_seen_at: string | null;
};

/** A difference between two audits; null if an audit does not have the item. */
export type AuditDifference = {
  asset: { id: number; external_key: string } | null;
  name: string;
  before: AuditOutcome | null;
  after: AuditOutcome | null;
};

export function auditNotFound(): ContractError {
  return refusal('not_found', { what: 'Audit' });
}

export function viewAudit(row: AuditRow): AuditView {
  return {
    id: row.id,
    location: {
      id: row.location_id,
      name: row.location_name,
      external_key: row.location_external_key,
      is_deleted: row.is_location_deleted,
    },
    started_at: formatTimestamp(row.started_at),
    saved_at: formatTimestamp(row.saved_at),
    saved_by: row.saved_by_name,
    found: row.found,
    missing: row.missing,
    unexpected: row.unexpected,
    unassigned: row.unassigned,
  };
}

export function viewItem(row: ItemRow): AuditItemView {
  const { last_location_id: locationId, last_location_name: locationName } = row;
  return {
    position: row.id,
    outcome: row.outcome,
    asset: assetOf(row),
    name: row.name,
    last_location: locationId === null ? null : { id: locationId, name: locationName ?? '' },
    last_seen_at: formatNullableTimestamp(row.last_seen_at),
  };
}

export function viewDifference(row: DifferenceRow): AuditDifference {
  return { asset: assetOf(row), name: row.name, before: row.before, after: row.after };
}

function assetOf({ asset_id, external_key }: { asset_id: number | null; external_key: string | null }) {
  return asset_id === null ? null : { id: asset_id, external_key: external_key ?? '' };
}
