import { expect, test } from 'vitest';
import { createAlertingWorld, sharedAlertingWorld } from '../../../support/alerting-world.js';
import { refusalOf } from '../../../support/caller.js';
import { createMailServer, type MailServer } from '../../../support/mail-server.js';

const from = 'Whereabouts <alerts@example.com>';
const baseUrl = 'https://whereabouts.example.com';

/** A service with mail, and the address of a user. */
async function createResetWorld(smtp: MailServer) {
  const world = await createAlertingWorld({ mail: { smtpUrl: smtp.url, from }, baseUrl });
  const { email } = await world.db.user.findUniqueOrThrow({ where: { id: world.session.userId } });
  return { ...world, email };
}

const tokenIn = ({ mails }: MailServer, index = 0) =>
  /reset-password#([\w-]+)/.exec(mails[index]?.bodies.text ?? '')?.[1] ?? '';

test('a link by email lets a person choose another password, once, and ends all sessions', async () => {
  await using smtp = await createMailServer();
  await using world = await createResetWorld(smtp);
  const { admin, db, email } = world;
  expect(await admin.session.status()).toMatchObject({ password_reset: true });
  await admin.session.requestPasswordReset({ email: email.toUpperCase() });
  await smtp.waitFor(1);
  expect(smtp.mails[0]?.to).toEqual([email]);
  expect(smtp.mails[0]?.bodies.text).toContain(`${baseUrl}/reset-password#`);
  const token = tokenIn(smtp);
  expect(JSON.stringify(await db.passwordReset.findMany())).not.toContain(token);
  const new_password = 'correct horse battery';
  expect(await admin.session.resetPassword({ token, new_password })).toEqual({ email });
  expect(await refusalOf(admin.session.resetPassword({ token, new_password }))).toMatchObject({ type: 'not_found' });
  expect(await db.session.count({ where: { revokedAt: null } })).toBe(0);
  const { identity } = world;
  const user = await db.user.findUniqueOrThrow({ where: { email } });
  expect(await identity.passwords.verify(user.passwordHash ?? undefined, new_password, { clientAddress: '' })).toBe(
    true,
  );
});

test('a link ends after an hour, and with a newer one', async () => {
  await using smtp = await createMailServer();
  await using world = await createResetWorld(smtp);
  const { admin, db, email } = world;
  const refused = async (index: number) =>
    refusalOf(admin.session.resetPassword({ token: tokenIn(smtp, index), new_password: 'a new password' }));
  await admin.session.requestPasswordReset({ email });
  await smtp.waitFor(1);
  await admin.session.requestPasswordReset({ email });
  await smtp.waitFor(2);
  expect(await refused(0)).toMatchObject({ type: 'not_found' });
  await db.$executeRaw`UPDATE password_resets SET expires_at = now() - interval '1 second'`;
  expect(await refused(1)).toMatchObject({ type: 'not_found' });
});

test('an address that nobody has gets no mail and the same answer, and requests are limited', async () => {
  await using smtp = await createMailServer();
  await using world = await createResetWorld(smtp);
  const { admin, email } = world;
  const unknown = { email: 'nobody@example.com' };
  for (let no = 0; no < 3; no += 1)
    expect(await admin.session.requestPasswordReset(unknown)).toEqual({ requested: true });
  expect(await refusalOf(admin.session.requestPasswordReset(unknown))).toMatchObject({ type: 'rate_limited' });
  expect(await admin.session.requestPasswordReset({ email })).toEqual({ requested: true });
  await smtp.waitFor(1);
  expect(smtp.mails.map(({ to }) => to)).toEqual([[email]]);
});

test('a network can ask for 100 links in 15 minutes', async () => {
  await using smtp = await createMailServer();
  await using world = await createResetWorld(smtp);
  const { admin, db } = world;
  const ask = (no: number) => admin.session.requestPasswordReset({ email: `nobody-${no}@example.com` });
  await ask(1);
  await db.$executeRaw`UPDATE sign_in_throttles SET failures = 99 WHERE key = 'reset-from:192.0.2.1'`;
  await ask(2);
  expect(await refusalOf(ask(3))).toMatchObject({ type: 'rate_limited', retryAfterSeconds: expect.any(Number) });
  await db.$executeRaw`UPDATE sign_in_throttles SET window_started_at = now() - interval '15 minutes'`;
  await ask(3);
});

test('without email there is no reset', async () => {
  await using world = await sharedAlertingWorld();
  const refusal = await refusalOf(world.admin.session.requestPasswordReset({ email: 'a@example.com' }));
  expect(refusal).toMatchObject({ type: 'conflict' });
});

test('a person without a password, who came by single sign-on, chooses one through the link', async () => {
  await using smtp = await createMailServer();
  await using world = await createResetWorld(smtp);
  const { admin, db, email } = world;
  await db.user.update({ where: { email }, data: { passwordHash: null } });
  await admin.session.requestPasswordReset({ email });
  await smtp.waitFor(1);
  await admin.session.resetPassword({ token: tokenIn(smtp), new_password: 'correct horse battery' });
  const { passwordHash } = await db.user.findUniqueOrThrow({ where: { email } });
  expect(
    await world.identity.passwords.verify(passwordHash ?? undefined, 'correct horse battery', { clientAddress: '' }),
  ).toBe(true);
});
