import { z } from 'zod';
import type { Queries } from '../../kernel/database/client.js';
import { refusal } from '../../kernel/errors.js';
import type { Settings } from '../../kernel/settings.js';
import { nameField } from '../../kernel/validation/resource-fields.js';
import { openProcedure } from '../../trpc.js';
import { recordChange } from '../activity/record.js';
import { answerWith, openSession } from './answer.js';
import { emailField, newPasswordField } from './fields.js';
import { addMember } from './invitation.js';
import { insertUser } from './queries.js';
import { isFirstRun } from './status.js';
import { takeSignUp } from './throttle.js';

const input = z.strictObject({
  organization_name: nameField('create-string'),
  name: nameField('create-string'),
  email: emailField,
  password: newPasswordField,
});

/**
 * Creates an organization and its first administrator. Anybody can be the first user; later users need `SIGN_UP=open`.
 */
export const signUp = openProcedure.input(input).mutation(async ({ ctx, input: wish }) => {
  const { db, identity, settings } = ctx.services;
  const { organization_name: orgName, name, email, password } = wish;
  // The check in the transaction below decides; this one avoids hashing a password when sign-up is closed.
  await requireOpen(db, settings.signUp);
  await takeSignUp(db, ctx.clientAddress);
  const passwordHash = await identity.passwords.hash(password, { clientAddress: ctx.clientAddress });
  const session = await db.$transaction(async (tx) => {
    // Sign-ups are serialized, so that if two people sign up first at the same time, the second finds the user of the
    // first.
    if (settings.signUp === 'first') await tx.$executeRaw`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`;
    await requireOpen(tx, settings.signUp);
    const user = await insertUser(tx, { name, email, passwordHash, isProven: false });
    if (!user) throw refusal('email_taken', { email });
    const [{ id: orgId }] = await tx.$queryRaw<[{ id: number }]>`
      INSERT INTO organizations (name) VALUES (${orgName}) RETURNING id`;
    const scope = { orgId, author: { entryPoint: 'app', actor: `user:${user.id}` } } as const;
    const change = { kind: 'organization', objectId: orgId, objectName: orgName, action: 'created' } as const;
    await recordChange(tx, scope, { ...change, after: { name: orgName } });
    return openSession(tx, ctx, { user, organization: await addMember(tx, user, { orgId, orgName, role: 'admin' }) });
  });
  return answerWith(ctx, session);
});

async function requireOpen(db: Queries, signUpSetting: Settings['signUp']): Promise<void> {
  if (signUpSetting !== 'open' && !(await isFirstRun(db))) throw refusal('sign_up_closed');
}
