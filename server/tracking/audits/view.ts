import { type ContractError, refusal } from '../../kernel/errors.js';
import { formatNullableTimestamp, formatTimestamp, type Stored } from '../../kernel/time.js';
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

/** The outcome of an audit for one asset, or for a tag that is not attached to anything. Names are as of the audit. */
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

/** Rows of the views; instants are epoch milliseconds, `id` is the position of an item. */
export type AuditRow = Stored<AuditView, 'started_at' | 'saved_at'>;
export type ItemRow = Stored<Omit<AuditItemView, 'position'>, 'last_seen_at'> & { id: number };
export type DifferenceRow = AuditDifference & { id: number };

export function auditNotFound(): ContractError {
  return refusal('not_found', { what: 'Audit' });
}

export function viewAudit(row: AuditRow): AuditView {
  return {
    id: row.id,
    location: row.location,
    started_at: formatTimestamp(row.started_at),
    saved_at: formatTimestamp(row.saved_at),
    saved_by: row.saved_by,
    found: row.found,
    missing: row.missing,
    unexpected: row.unexpected,
    unassigned: row.unassigned,
  };
}

export function viewItem(row: ItemRow): AuditItemView {
  return {
    position: row.id,
    outcome: row.outcome,
    asset: row.asset,
    name: row.name,
    last_location: row.last_location,
    last_seen_at: formatNullableTimestamp(row.last_seen_at),
  };
}

export function viewDifference({ asset, name, before, after }: DifferenceRow): AuditDifference {
  return { asset, name, before, after };
}
