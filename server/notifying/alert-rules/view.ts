import { formatTimestamp } from '../../kernel/time.js';
import type { RuleRow } from './queries.js';
import type { RuleInput } from './schemas.js';

/** A rule for the app; it can be sent back unchanged, without the last two fields. */
export type RuleView = RuleInput & { id: number; created_at: string; updated_at: string };

export function ruleView(row: RuleRow): RuleView {
  const { assets, locations, direction, threshold = null } = row.condition;
  return {
    id: row.id,
    name: row.name,
    event_type: row.event_type,
    is_enabled: row.is_enabled,
    assets,
    locations,
    direction,
    limit_seconds: row.limit_seconds,
    threshold,
    schedule: row.schedule,
    quiet_seconds: row.quiet_seconds,
    notify: {
      app: row.notify_app,
      email_user_ids: row.email_user_ids,
      email_mode: row.email_mode,
      endpoint_ids: row.endpoint_ids,
    },
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
  };
}
