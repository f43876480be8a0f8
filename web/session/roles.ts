import type { Role } from './context.js';

/** What may be chosen for a member, from the least to the most powerful; each includes the ones before it. */
export const roleChoices: readonly { value: Role; label: string; summary: string }[] = [
  { value: 'viewer', label: 'Viewer', summary: 'Sees where everything is; changes nothing.' },
  { value: 'operator', label: 'Operator', summary: 'Also scans with a handheld and acknowledges alerts.' },
  { value: 'manager', label: 'Manager', summary: 'Also makes and changes assets, locations, tags and alert rules.' },
  { value: 'admin', label: 'Administrator', summary: 'Also runs readers, API keys, webhooks and members.' },
];

export function roleName(role: Role): string {
  return roleChoices.find(({ value }) => value === role)?.label ?? role;
}
