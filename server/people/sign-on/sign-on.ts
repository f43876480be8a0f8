import type { Log } from '../../kernel/log.js';
import type { Settings } from '../../kernel/settings.js';
import { createSealedValues, type SealedValues } from '../auth/sealed-values.js';
import { parseAuthSecrets } from '../auth/secrets.js';
import type { CookieContent } from './cookie-content.js';
import { createProvider, type Provider } from './provider.js';

/** Single sign-on of the installation. */
export type SignOn = { provider: Provider; cookies: SealedValues<CookieContent> };

/**
 * Creates single sign-on; undefined if it is not configured. Sends no request to the provider before somebody signs in.
 */
export function createSignOn(settings: Settings, log: Log): SignOn | undefined {
  if (!settings.signOn) return undefined;
  return {
    provider: createProvider({ settings: settings.signOn, baseUrl: settings.baseUrl, log }),
    cookies: createSealedValues({ secrets: parseAuthSecrets(settings.authSecret ?? ''), purpose: 'single sign-on' }),
  };
}
