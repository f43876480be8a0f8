import { randomToken } from '../../people/auth/random-token.js';
import { resetMinutes, storeReset } from '../../people/session/reset-queries.js';
import { findMeans } from '../../people/sign-on/queries.js';
import { type AdminOptions, requireAccount, withAdminDatabase } from './admin-database.js';

/**
 * Returns a link with which a person chooses another password, for servers without email. It works once, within
 * `minutes`, and replaces an earlier one. Unless the address `isProven`, using the link removes all credentials that
 * were created before.
 *
 * @throws StartError if no user has this address
 */
export function createResetLink(
  email: string,
  options: AdminOptions,
): Promise<{ url: string; minutes: number; isProven: boolean }> {
  return withAdminDatabase(options, async (db) => {
    const { id } = await requireAccount(db, email);
    const token = randomToken();
    await storeReset(db, id, token);
    const means = await findMeans(db, id);
    const url = `${options.settings.baseUrl}/reset-password#${token}`;
    return { url, minutes: resetMinutes, isProven: means?.is_email_proven === true };
  });
}
