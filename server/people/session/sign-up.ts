import { z } from 'zod';
import { recordChange } from '../activity/record.js';
import type { Context } from '../../context.js';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { refusal } from '../../kernel/errors.js';
import type { Settings } from '../../kernel/settings.js';
import { openProcedure } from '../../trpc.js';
import { nameField } from '../../kernel/validation/resource-fields.js';
import { answerWith, type OpenSession, openSession, type SessionAnswer } from './answer.js';
import { emailField, newPasswordField } from './fields.js';
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
 * Creates an organization and its first administrator: anyone can be the first user, later ones only with
 * `SIGN_UP=open`.
 */
export const signUp = openProcedure.input(input).mutation(({ ctx, input: wish }) => register(ctx, wish));

async function register(ctx: Context, { password, ...wish }: z.output<typeof input>): Promise<SessionAnswer> {
  const { db, identity, settings } = ctx.services;
  // Checked again below, where it counts; here it saves hashing a password for a closed service.
  await requireOpen(db, settings.signUp);
  await takeSignUp(db, ctx.clientAddress);
  const passwordHash = await identity.passwords.hash(password, { clientAddress: ctx.clientAddress });
  const session = await db.$transaction(async (tx) => {
    // Sign-ups are serialized, so that of two first ones the second one finds the user of the first.
    if (settings.signUp === 'first') await tx.$executeRaw`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`;
    await requireOpen(tx, settings.signUp);
    const account = await insertAccount(tx, { ...wish, passwordHash });
    return openSession(tx, ctx, account);
  });
  return answerWith(ctx, session);
}

async function requireOpen(db: Pick<Database, '$queryRaw'>, signUpSetting: Settings['signUp']): Promise<void> {
  if (signUpSetting === 'open') return;
  if (!(await isFirstRun(db))) throw refusal('sign_up_closed');
}

type Account = { organization_name: string; name: string; email: string; passwordHash: string };

type NewAccount = Pick<OpenSession, 'user' | 'organization'>;

async function insertAccount(tx: TransactionClient, account: Account): Promise<NewAccount> {
  const { organization_name, name, email, passwordHash } = account;
  const user = await insertUser(tx, { name, email, passwordHash, isProven: false });
  if (!user) throw refusal('email_taken', { email });
  const [organization] = await tx.$queryRaw<[{ id: number; name: string }]>`
    INSERT INTO organizations (name) VALUES (${organization_name}) RETURNING id, name`;
  await tx.$executeRaw`
    INSERT INTO memberships (org_id, user_id, role) VALUES (${organization.id}::int, ${user.id}::int, 'admin')`;
  const scope = { orgId: organization.id, author: { entryPoint: 'app', actor: `user:${user.id}` } } as const;
  await recordChange(tx, scope, {
    ...{ kind: 'organization', objectId: organization.id, objectName: organization_name, action: 'created' },
    after: { name: organization_name },
  });
  await recordChange(tx, scope, {
    ...{ kind: 'member', objectId: user.id, objectName: user.name, action: 'created' },
    after: { name: user.name, email: user.email, role: 'admin' },
  });
  return { user, organization: { ...organization, role: 'admin' } };
}
