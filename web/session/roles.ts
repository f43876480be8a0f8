import type { Role } from './context.js';

/** What may be chosen for a member, from the least to the most powerful; each includes the ones before it. */
export const roleChoices: readonly { value: Role; label: string; summary: string }[] = [
  { value: 'viewer', label: 'Viewer', summary: 'Can view everything; can’t make changes.' },
  { value: 'operator', label: 'Operator', summary: 'Can also scan with a handheld and acknowledge alerts.' },
  { value: 'manager', label: 'Manager', summary: 'Can also create and edit assets, locations, tags and alert rules.' },
  { value: 'admin', label: 'Administrator', summary: 'Can also manage readers, API keys, webhooks and members.' },
];

export function roleName(role: Role): string {
  return roleChoices.find(({ value }) => value === role)?.label ?? role;
}
