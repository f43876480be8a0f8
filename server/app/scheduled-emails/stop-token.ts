import type { Settings } from '../../kernel/settings.js';
import { parseAuthSecrets } from '../../people/auth/secrets.js';
import { createSealedValues, type SealedValues } from '../../people/auth/sealed-values.js';

/** How long the link in an email can stop further emails. */
export const stopSeconds = 400 * 86_400;

/** Returns the tokens of the links that stop emails without signing in. */
export function stopTokens(settings: Pick<Settings, 'authSecret'>): SealedValues<{ orgId: number; id: number }> {
  return createSealedValues({ secrets: parseAuthSecrets(settings.authSecret ?? ''), purpose: 'stop of emails' });
}
