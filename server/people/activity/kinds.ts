import { type Role, roleIncludes } from '../auth/scopes.js';

/** The lowest role that sees the changes of each kind of object, as in the rest of the app. */
const roleOfKind = {
  asset: 'viewer',
  location: 'viewer',
  audit: 'viewer',
  import: 'manager',
  asset_kind: 'manager',
  alert_rule: 'manager',
  reader: 'admin',
  webhook_endpoint: 'admin',
  api_key: 'admin',
  member: 'admin',
  invitation: 'admin',
  email_domain: 'admin',
  organization: 'admin',
} as const satisfies Record<string, Role>;

export type ActivityKind = keyof typeof roleOfKind;

export const activityKinds = Object.keys(roleOfKind) as ActivityKind[];

export type ActivityAction =
  | 'created'
  | 'updated'
  | 'deleted'
  | 'restored'
  | 'tag_attached'
  | 'tag_detached'
  | 'placed'
  | 'put_in'
  | 'taken_out'
  | 'problem_reported'
  | 'problem_resolved'
  | 'secret_rotated'
  | 'disabled'
  | 'revoked'
  | 'applied'
  | 'undone'
  | 'calibrated'
  | 'calibration_reset';

/** Returns the kinds whose changes a role may see. */
export function visibleKinds(role: Role): ActivityKind[] {
  return activityKinds.filter((kind) => roleIncludes(role, roleOfKind[kind]));
}
