import type { Queries } from '../../kernel/database/client.js';
import { openProcedure } from '../../trpc.js';

/**
 * Returns the state of the service that the app needs before anybody has signed in: whether there is a user yet, and
 * whether everybody can sign up.
 */
export const status = openProcedure.query(async ({ ctx }) => {
  const { db, settings } = ctx.services;
  const firstRun = await isFirstRun(db);
  return {
    first_run: firstRun,
    sign_up_open: firstRun || settings.signUp === 'open',
    /** Whether a forgotten password can be replaced by email. */
    password_reset: settings.mail !== undefined,
    /** The provider that people can sign in with; null if there are only passwords. */
    sign_on: settings.signOn ? { name: settings.signOn.name } : null,
  };
});

export async function isFirstRun(db: Queries): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`SELECT 1 AS found FROM users LIMIT 1`;
  return rows.length === 0;
}
