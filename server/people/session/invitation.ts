import { z } from 'zod';
import type { Database } from '../../kernel/database/client.js';
import { type ContractError, refusal } from '../../kernel/errors.js';
import { findOffer, type Offer } from '../members/invitation-queries.js';
import { formatTimestamp } from '../../kernel/time.js';
import { openProcedure } from '../../trpc.js';
import { textField } from '../../kernel/validation/fields.js';

/** Any text can be a wrong token; the length limits what is hashed. */
export const invitationTokenField = textField({ min: 1, max: 200 }, 'create-string');

const input = z.strictObject({ token: invitationTokenField });

/**
 * Returns the contents of an invitation link. It changes nothing, but is a mutation: the input of a query would be in a
 * URL, which proxies log.
 */
export const invitation = openProcedure.input(input).mutation(async ({ ctx, input: { token } }) => {
  const offer = await requireOffer(ctx.services.db, token);
  const { role, email, org_name: name } = offer;
  return { organization: { name }, role, email, expires_at: formatTimestamp(offer.expires_at) };
});

/** @throws ContractError `not_found`, the same for links that are unknown, used, revoked or expired */
export async function requireOffer(db: Database, token: string): Promise<Offer> {
  const offer = await findOffer(db, token);
  if (!offer) throw noOffer();
  return offer;
}

export function noOffer(): ContractError {
  return refusal('invitation_ended');
}
