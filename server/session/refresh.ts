import type { TransactionClient } from '../database/client.js';
import { ContractError } from '../errors.js';
import { openProcedure } from '../trpc.js';
import { answerWith, type OpenSession } from './answer.js';
import {
  findOrganization,
  findUser,
  insertRefreshToken,
  lockRefreshToken,
  revokeSession,
  useRefreshToken,
} from './queries.js';

/** Two tabs, or a retry whose first answer is still on its way, bring the same token within this time. */
const doubleSubmitMs = 10_000;

type Outcome = { kind: 'renewed'; session: OpenSession } | { kind: 'repeated' } | { kind: 'over' } | { kind: 'ended' };

/**
 * Trades the refresh token in the cookie for an access token and the next refresh token. Each is good once: of two
 * requests with the same token one is renewed, and the other is told to come again with the cookie that one left behind
 * (409). A token that comes back later than 10 seconds after its use was copied, so its session ends.
 */
export const refresh = openProcedure.mutation(async ({ ctx }) => {
  const token = ctx.refreshCookie?.read();
  const outcome: Outcome = token ? await ctx.services.db.$transaction((tx) => rotate(tx, token)) : { kind: 'over' };
  if (outcome.kind === 'renewed') return answerWith(ctx, outcome.session);
  if (outcome.kind === 'repeated')
    throw new ContractError('conflict', 'The session was renewed by another request; try again');
  if (outcome.kind === 'ended') ctx.services.identity.forgetSessions();
  ctx.refreshCookie?.clear();
  throw new ContractError('unauthorized', 'Invalid or expired token');
});

/** What comes of a refresh token. Says so instead of throwing, since the end of a session must be committed. */
async function rotate(tx: TransactionClient, token: string): Promise<Outcome> {
  const row = await lockRefreshToken(tx, token);
  if (!row || row.is_over) return { kind: 'over' };
  if (row.used_for !== null && row.used_for <= doubleSubmitMs) return { kind: 'repeated' };
  const user = await findUser(tx, row.user_id);
  const organization = await findOrganization(tx, row.user_id, row.org_id);
  if (row.used_for !== null || !user || !organization) {
    await revokeSession(tx, row.session_id);
    return { kind: 'ended' };
  }
  await useRefreshToken(tx, token);
  return {
    kind: 'renewed',
    session: { id: row.session_id, user, organization, refresh: await insertRefreshToken(tx, row.session_id) },
  };
}
