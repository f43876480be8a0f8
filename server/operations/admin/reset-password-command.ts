import { randomToken } from '../../people/auth/random-token.js';
import { openDatabase } from '../../kernel/database/client.js';
import type { Log } from '../../kernel/log.js';
import { enteredEmail } from '../../people/session/email-address.js';
import { findCredentials } from '../../people/session/queries.js';
import { resetMinutes, storeReset } from '../../people/session/reset-queries.js';
import type { Settings } from '../../kernel/settings.js';
import { findMeans } from '../../people/sign-on/queries.js';
import { StartError } from '../../kernel/start-error.js';
import { openAdminDatabase } from './admin-database.js';

/**
 * Returns a link with which a person chooses another password, for servers without email. It works once, within
 * `minutes`, and replaces an earlier one. Unless the address `isProven`, its use removes all that was made before.
 *
 * @throws StartError if no user has this address
 */
export async function createResetLink(
  email: string,
  { settings, log }: { settings: Settings; log: Log },
): Promise<{ url: string; minutes: number; isProven: boolean }> {
  await using database = await openAdminDatabase(settings, log);
  await using pool = openDatabase({ url: database.url, poolSize: 1, log });
  const { db } = pool;
  const user = await findCredentials(db, enteredEmail(email));
  if (!user) throw new StartError(`nobody has the email address ${email}`);
  const token = randomToken();
  await storeReset(db, user.id, token);
  const means = await findMeans(db, user.id);
  return {
    url: `${settings.baseUrl}/reset-password#${token}`,
    minutes: resetMinutes,
    isProven: means?.is_email_proven === true,
  };
}
