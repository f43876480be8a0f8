import type { Settings } from '../../kernel/settings.js';
import { parseAuthSecrets } from '../auth/secrets.js';
import { createSealedValues, type SealedValues } from '../auth/sealed-values.js';

/** How long the link in an email can stop further emails. */
const stopSeconds = 400 * 86_400;

/** What a link stops: a scheduled email by its id, or what some alert rules send to a member. */
export type Stop = { orgId: number } & ({ id: number } | { userId: number; ruleIds: readonly number[] });

/** The addresses that stop emails without signing in. */
export type StopLink = {
  /** Opens the page of the app that asks first. */
  pageUrl: string;
  /** Stops them at once with a POST request, and opens the same page with a GET request. */
  stopUrl: string;
};

export type StopSettings = Pick<Settings, 'authSecret' | 'baseUrl'>;

/** Returns the tokens of the links that stop emails. */
export function stopTokens({ authSecret }: Pick<StopSettings, 'authSecret'>): SealedValues<Stop> {
  return createSealedValues({ secrets: parseAuthSecrets(authSecret ?? ''), purpose: 'stop of emails' });
}

export async function stopLinkOf(settings: StopSettings, stop: Stop): Promise<StopLink> {
  const token = await stopTokens(settings).seal(stop, stopSeconds);
  const page = `${settings.baseUrl}/stop-email`;
  return { pageUrl: `${page}#${token}`, stopUrl: `${page}?token=${token}` };
}
