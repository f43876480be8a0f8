import type { TransactionClient } from '../../kernel/database/client.js';
import { refusal } from '../../kernel/errors.js';
import { openProcedure } from '../../trpc.js';
import type { RefreshTokens } from '../auth/refresh-tokens.js';
import { answerWith, type OpenSession } from './answer.js';
import { presentedDevice } from './device.js';
import {
  findExistingToken,
  findOrganization,
  findUser,
  insertRefreshToken,
  lockRefreshToken,
  type RefreshTokenRow,
  revokeSession,
  useRefreshToken,
} from './queries.js';

/** How long the device that used a token can repeat it, because the answer was lost or another tab was faster. */
const repeatableMs = 60_000;

/** The renewed session; `over` if there is no valid token, `ended` if the token was copied. */
type Outcome = OpenSession | 'over' | 'ended';

type Attempt = { token: string; deviceId: string | undefined; refreshTokens: RefreshTokens };

/**
 * Exchanges the refresh token in the cookie for an access token and the next refresh token. For 60 seconds after its
 * use, a token from the same device gives the same successor. A used token that comes later, or from another device,
 * was copied: its session ends.
 */
export const refresh = openProcedure.mutation(async ({ ctx }) => {
  const { db, identity } = ctx.services;
  const { refreshTokens } = identity;
  const token = ctx.refreshCookie?.read();
  const device = presentedDevice(ctx);
  const outcome = token
    ? await db.$transaction((tx) => rotate(tx, { token, deviceId: device?.id, refreshTokens }))
    : 'over';
  if (typeof outcome !== 'string') return answerWith(ctx, device ? { ...outcome, device } : outcome);
  if (outcome === 'ended') identity.forgetSessions();
  ctx.refreshCookie?.clear();
  throw refusal('token_invalid');
});

/**
 * Decides the outcome of a refresh token. Returns the end of a session instead of throwing, since it must be committed.
 */
async function rotate(tx: TransactionClient, attempt: Attempt): Promise<Outcome> {
  const { token, refreshTokens } = attempt;
  const row = await lockRefreshToken(tx, token);
  if (!row || row.is_over) return 'over';
  if (row.used_for !== null) return repeat(tx, attempt, row);
  const user = await findUser(tx, row.user_id);
  const organization = await findOrganization(tx, row.user_id, row.org_id);
  if (!user || !organization) return end(tx, row);
  const session = { id: row.session_id, user, organization };
  // A request with the previous token can still be repeated and must then return this same token, so this token is not
  // used up yet.
  if (row.is_successor && row.age <= repeatableMs) {
    return { ...session, refresh: { token, expiresAtMs: row.expires_at } };
  }
  await useRefreshToken(tx, token);
  const next = refreshTokens.successorOf(token);
  return { ...session, refresh: await insertRefreshToken(tx, row.session_id, { token: next, isSuccessor: true }) };
}

async function repeat(tx: TransactionClient, attempt: Attempt, row: RefreshTokenRow): Promise<Outcome> {
  const isSameDevice = row.device_id === null || row.device_id === attempt.deviceId;
  if (row.used_for === null || row.used_for > repeatableMs || !isSameDevice) return end(tx, row);
  const successor = await findExistingToken(tx, attempt.refreshTokens.possibleSuccessorsOf(attempt.token));
  return successor === undefined ? end(tx, row) : rotate(tx, { ...attempt, token: successor });
}

async function end(tx: TransactionClient, { session_id }: RefreshTokenRow): Promise<Outcome> {
  await revokeSession(tx, session_id);
  return 'ended';
}
