import { t } from '@lingui/core/macro';
import type { Inputs } from '../../api/trpc.js';
import { localInstant } from '../../time/instant.js';

export type KeyScope = Inputs['apiKeys']['create']['scopes'][number];

/** The scopes that may be chosen for a key (contract 6.2). */
export const scopeChoices: readonly { value: KeyScope; summary: string }[] = [
  { value: 'assets:read', summary: t`Read assets and their tags` },
  { value: 'assets:write', summary: t`Create, edit and delete assets` },
  { value: 'locations:read', summary: t`Read locations and the tree` },
  { value: 'locations:write', summary: t`Create, edit and delete locations` },
  { value: 'tracking:read', summary: t`Read where assets are, and where they were` },
];

export const expirationChoices = [
  { value: '30', label: t`30 days` },
  { value: '90', label: t`90 days` },
  { value: 'year', label: t`1 year` },
  { value: 'date', label: t`On a date` },
  { value: 'never', label: t`Never` },
] as const;

export type Expiration = (typeof expirationChoices)[number]['value'];

/**
 * Returns when a key that is created now expires; null for never, undefined while no date is chosen. A date means the
 * end of the day, in the time zone shown.
 */
export function expiryOf(expiration: Expiration, date: string, now: Date): Date | null | undefined {
  const expiry = new Date(now);
  switch (expiration) {
    case 'never':
      return null;
    case 'year':
      expiry.setFullYear(expiry.getFullYear() + 1);
      return expiry;
    case 'date': {
      const endMs = localInstant(`${date}T23:59:59`);
      return Number.isNaN(endMs) ? undefined : new Date(endMs);
    }
    case '30':
    case '90':
      expiry.setDate(expiry.getDate() + Number(expiration));
      return expiry;
  }
}
