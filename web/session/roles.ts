import { t } from '@lingui/core/macro';
import { lowerCase } from '../ui/lower-case.js';
import type { Role } from './context.js';

/**
 * The roles that may be chosen for a member, from the least to the most powerful; each role includes the roles before
 * it.
 */
export const roleChoices: readonly { value: Role; label: string; summary: string }[] = [
  { value: 'viewer', label: t`Viewer`, summary: t`Can view everything; can’t make changes.` },
  { value: 'operator', label: t`Operator`, summary: t`Can also scan with a handheld and acknowledge alerts.` },
  {
    value: 'manager',
    label: t`Manager`,
    summary: t`Can also create and edit assets, locations, tags and alert rules.`,
  },
  { value: 'admin', label: t`Administrator`, summary: t`Can also manage readers, API keys, webhooks and members.` },
];

export function roleName(role: Role): string {
  return roleChoices.find(({ value }) => value === role)?.label ?? role;
}

/** Returns a role within a sentence, such as "You are invited as viewer". */
export function roleInSentence(role: Role): string {
  return lowerCase(roleName(role));
}
