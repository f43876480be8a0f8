import { z } from 'zod';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant } from '../../kernel/database/columns.js';
import { fieldRefusal, refusal } from '../../kernel/errors.js';
import { formatTimestamp } from '../../kernel/time.js';
import { textField } from '../../kernel/validation/fields.js';
import { openProcedure } from '../../trpc.js';
import { type Facts, recordChange } from '../activity/record.js';
import type { Role } from '../auth/scopes.js';
import { findOffer, type Offer, takeOffer } from '../members/invitation-queries.js';
import type { OwnOrganization, User } from './queries.js';

/** Any text is accepted as a token, which may be wrong. The length limits how much is hashed. */
export const invitationTokenField = textField({ min: 1, max: 200 }, 'create-string');

const input = z.strictObject({ token: invitationTokenField });

/**
 * Returns the contents of an invitation link. It changes nothing, but is a mutation, because the input of a query would
 * be in a URL, which proxies log.
 */
export const invitation = openProcedure.input(input).mutation(async ({ ctx, input: { token } }) => {
  const offer = await requireOffer(ctx.services.db, token);
  const { role, email, org_name: name } = offer;
  return { organization: { name }, role, email, expires_at: formatTimestamp(offer.expires_at) };
});

/** @throws ContractError `not_found`, the same for links that are unknown, used, revoked or expired */
export async function requireOffer(db: Database, token: string): Promise<Offer> {
  const offer = await findOffer(db, token);
  if (!offer) throw refusal('invitation_ended');
  return offer;
}

/** Uses an invitation for the person with this address. An error later in the transaction leaves it unused. */
export async function takeInvitation(tx: TransactionClient, token: string, email: string): Promise<Offer> {
  const offer = await takeOffer(tx, token);
  if (!offer) throw refusal('invitation_ended');
  requireAddress(offer, email);
  return offer;
}

/** @throws ContractError `validation_error` if the invitation is for another address */
export function requireAddress(offer: Offer, email: string): void {
  if (offer.email === null || offer.email === email) return;
  throw fieldRefusal('email', 'address_not_invited', { email: offer.email });
}

/** Makes a user a member with the role of the invitation. Throws like `addMember`. */
export async function joinByInvitation(tx: TransactionClient, user: User, offer: Offer): Promise<OwnOrganization> {
  return addMember(tx, user, { orgId: offer.org_id, orgName: offer.org_name, role: offer.role });
}

/** `facts` are added to the activity log besides name, address and role. */
type NewMembership = { orgId: number; orgName: string; role: Role; facts?: Facts };

/** Makes a user a member. @throws ContractError `conflict` if they are one already */
export async function addMember(
  tx: TransactionClient,
  user: User,
  { orgId, orgName, role, facts }: NewMembership,
): Promise<OwnOrganization> {
  const joined = await tx.$executeRaw`
    INSERT INTO memberships (org_id, user_id, role, created_at)
    VALUES (${orgId}::int, ${user.id}::int, ${role}, ${currentInstant})
    ON CONFLICT (org_id, user_id) DO NOTHING`;
  if (joined === 0) throw refusal('member_already');
  await tx.$executeRaw`DELETE FROM former_members WHERE org_id = ${orgId}::int AND user_id = ${user.id}::int`;
  const author = { entryPoint: 'app', actor: `user:${user.id}` } as const;
  const after = { name: user.name, email: user.email, role, ...facts };
  const change = { kind: 'member', objectId: user.id, objectName: user.name, action: 'created', after } as const;
  await recordChange(tx, { orgId, author }, change);
  return { id: orgId, name: orgName, role };
}
