import type { Scope } from '../auth/scopes.js';
import { formatNullableTimestamp, formatTimestamp } from '../../kernel/time.js';
import type { ApiKeyRow } from './queries.js';

/** A key for administrators; the token is not stored and so cannot be returned. */
export type ApiKeyView = {
  id: string;
  name: string;
  scopes: Scope[];
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  created_by: ApiKeyRow['created_by'];
};

export function apiKeyView(row: ApiKeyRow): ApiKeyView {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    created_at: formatTimestamp(row.created_at),
    expires_at: formatNullableTimestamp(row.expires_at),
    last_used_at: formatNullableTimestamp(row.last_used_at),
    revoked_at: formatNullableTimestamp(row.revoked_at),
    created_by: row.created_by,
  };
}
