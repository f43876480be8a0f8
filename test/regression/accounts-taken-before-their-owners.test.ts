import { describe, expect, it } from 'vitest';
import { createResetLink } from '../../server/operations/admin/reset-password-command.js';
import { confirmByOperator } from '../../server/operations/admin/sign-on-commands.js';
import { createLog } from '../../server/kernel/log.js';
import { readSettings } from '../../server/kernel/settings.js';
import { authSecret, createCaller } from '../support/caller.js';
import type { CookieBrowser } from '../support/cookie-browser.js';
import { createMailServer } from '../support/mail-server.js';
import { addPerson, invite } from '../server/people/sign-on/people.js';
import { createSignOnWorld } from '../server/people/sign-on/world.js';
import { fileWorld } from '../support/shared.js';

const password = 'password of the attacker';
const ownPassword = 'password of the owner';

const smtp = fileWorld(createMailServer);
const world = fileWorld(() =>
  createSignOnWorld({
    settings: { signUp: 'open', mail: { smtpUrl: smtp.url, from: 'Whereabouts <alerts@example.com>' } },
  }),
);

/** Waits for a mail to an address with a link, and returns the token of the link. */
async function tokenTo(address: string, path: string): Promise<string> {
  const token = () =>
    smtp.mails
      .filter(({ to }) => to.includes(address))
      .map(({ bodies }) => new RegExp(`/${path}#([\\w.-]+)`).exec(bodies.text)?.[1])
      .findLast((found) => found !== undefined);
  await expect.poll(token).toBeDefined();
  return token() ?? '';
}

/** The number of mails to an address with a sentence. */
const mailsWith = (email: string, sentence: string) =>
  smtp.mails.filter(({ to, bodies }) => to.includes(email) && bodies.text.replaceAll(/\s+/g, ' ').includes(sentence))
    .length;

const connected = 'Single sign-on was connected to your account.';
const firstProof = 'Your address had not been proven before.';

/** Waits until a mail with each of the sentences has come to an address. */
async function expectMails(email: string, sentences: readonly string[]): Promise<void> {
  await expect.poll(() => sentences.map((sentence) => mailsWith(email, sentence))).toEqual(sentences.map(() => 1));
}

async function callerOf(token: string) {
  const actor = await world.core.identify(token);
  const { services } = world.core.contextFor({ actor, requestId: 'test', clientAddress: '192.0.2.1' });
  return createCaller(services, actor);
}

/** An attacker signs up with the address of a person known to the provider, and makes an API key and an invitation. */
async function taken() {
  const owner = addPerson(world);
  const attacker = world.browser();
  const { data } = await attacker.call('session.signUp', {
    organization_name: 'Mallory',
    name: 'Mallory',
    email: owner.email,
    password,
  });
  const caller = await callerOf(data.token);
  const key = await caller.apiKeys.create({ name: 'back', scopes: ['assets:read'], expires_at: null });
  const invitation = await caller.members.invite({ role: 'admin' });
  const userId = data.user.id as number;
  return { ...owner, userId, attacker, token: data.token as string, key, invitation };
}

type Taken = Awaited<ReturnType<typeof taken>>;

/** Expects that nothing the attacker made is of use any more. */
async function expectRemoved({ attacker, email, token, key, invitation, userId }: Taken): Promise<void> {
  await expect(world.core.identify(token)).rejects.toMatchObject({ type: 'unauthorized' });
  expect((await attacker.call('session.refresh')).error).toMatchObject({ type: 'unauthorized' });
  expect((await attacker.call('session.signIn', { email, password })).error).toMatchObject({ type: 'unauthorized' });
  await expect(world.core.identify(key.token)).rejects.toMatchObject({ message: 'API key has been revoked' });
  const { error } = await world.browser().call('session.invitation', { token: invitation.token });
  expect(error).toMatchObject({ type: 'not_found' });
  const user = await world.db.user.findUniqueOrThrow({ where: { id: userId } });
  expect(user.emailProvenAt).not.toBeNull();
  // The attacker's device counts as unknown: its wrong passwords count like anybody's.
  await attacker.call('session.signIn', { email, password: 'a guess' });
  expect(await world.db.signInThrottle.count({ where: { key: { startsWith: 'device:', endsWith: email } } })).toBe(0);
}

async function reset(email: string): Promise<void> {
  await world.browser().call('session.requestPasswordReset', { email });
  const token = await tokenTo(email, 'reset-password');
  const { data } = await world.browser().call('session.resetPassword', { token, new_password: ownPassword });
  expect(data).toEqual({ email });
}

describe('the first proof of the address removes what was made before:', () => {
  it('a reset link', async () => {
    const account = await taken();
    // As an earlier release let the attacker do.
    const identity = { issuer: world.idp.issuer, subject: `attacker-${account.userId}` };
    await world.db.signOnIdentity.create({ data: { ...identity, userId: account.userId } });
    world.idp.people.set(identity.subject, { email: 'mallory@evil.example', email_verified: true });
    await reset(account.email);
    await expectRemoved(account);
    expect((await world.signOn(identity.subject)).error).toMatchObject({ type: 'forbidden' });
    const own = await world.browser().call('session.signIn', { email: account.email, password: ownPassword });
    expect(own.data.user.id).toBe(account.userId);
  });

  it('a mailed invitation, also for a name of the account', async () => {
    const account = await taken();
    const shown = await world.admin.members.invite({ role: 'manager', email: account.email });
    const person = { name: 'Ada', email: account.email, password: ownPassword };
    // A person who sees the link of the administrator may not own the address.
    const other = await world.browser().call('session.acceptInvitation', { token: shown.token, person });
    expect(other.error).toMatchObject({ type: 'conflict' });
    const token = await tokenTo(account.email, 'join');
    expect(token).not.toBe(shown.token);
    const { data } = await world.browser().call('session.acceptInvitation', { token, person });
    expect(data).toMatchObject({
      user: { id: account.userId, name: 'Ada' },
      organization: { id: world.orgId, role: 'manager' },
    });
    await expectMails(account.email, ['You proved that the address of your account is yours.', firstProof]);
    await expectRemoved(account);
  });

  it('the verified address at the provider, without the password of the attacker', async () => {
    const account = await taken();
    const browser = world.browser();
    const asked = await world.signOn(account.subject, { browser });
    expect(asked.data).toMatchObject({ kind: 'password_required', can_claim: true });
    const { data } = await browser.call('session.confirmSignOn', {});
    expect(data).toMatchObject({ kind: 'entered', user: { id: account.userId, name: 'Ada Lovelace' } });
    await expectMails(account.email, [connected, firstProof]);
    await expectRemoved(account);
    expect((await world.signOn(account.subject)).data).toMatchObject({ kind: 'entered' });
  });

  it('one of two at once, and the other one then removes nothing of the owner', async () => {
    const account = await taken();
    const browser = world.browser();
    await world.signOn(account.subject, { browser });
    await world.browser().call('session.requestPasswordReset', { email: account.email });
    const token = await tokenTo(account.email, 'reset-password');
    const both = await Promise.all([
      browser.call('session.confirmSignOn', {}),
      world.browser().call('session.resetPassword', { token, new_password: ownPassword }),
    ]);
    await expectRemoved(account);
    // Whichever came first, the account has one owner: with the identity, with the password, or with both.
    const succeeded = both.filter(({ error }) => error === undefined);
    expect(succeeded.length).toBeGreaterThan(0);
    const means = await world.db.user.findUniqueOrThrow({
      where: { id: account.userId },
      include: { signOnIdentities: true },
    });
    expect(means.signOnIdentities.map(({ subject }) => subject)).toEqual(
      both[0].error === undefined ? [account.subject] : [],
    );
  });
});

it('a link of an invitation without an address proves none', async () => {
  const owner = addPerson(world);
  const { token } = await world.admin.members.invite({ role: 'viewer' });
  const person = { name: 'Mallory', email: owner.email, password };
  const { data } = await world.browser().call('session.acceptInvitation', { token, person });
  expect(data).toMatchObject({ organization: { id: world.orgId } });
  const browser = world.browser();
  expect((await world.signOn(owner.subject, { browser })).data).toMatchObject({ kind: 'password_required' });
  expect((await browser.call('session.confirmSignOn', {})).data).toMatchObject({ kind: 'entered' });
  await expect(world.core.identify(data.token)).rejects.toMatchObject({ type: 'unauthorized' });
});

it('a later proof removes nothing', async () => {
  const account = await taken();
  await reset(account.email);
  const { data } = await world.browser().call('session.signIn', { email: account.email, password: ownPassword });
  const key = await (await callerOf(data.token)).apiKeys.create({
    name: 'own',
    scopes: ['assets:read'],
    expires_at: null,
  });
  expect((await world.signOn(account.subject)).data).toMatchObject({ kind: 'entered', user: { id: account.userId } });
  await world.admin.members.list();
  expect(await world.core.identify(key.token)).toMatchObject({ kind: 'key' });
  const again = await world.browser().call('session.signIn', { email: account.email, password: ownPassword });
  expect(again.error).toBeUndefined();
});

it('a person who knows the password keeps everything', async () => {
  const account = await taken();
  const browser = world.browser();
  await world.signOn(account.subject, { browser });
  expect((await browser.call('session.confirmSignOn', { password })).data).toMatchObject({ kind: 'entered' });
  await expectMails(account.email, [connected]);
  expect(await world.core.identify(account.key.token)).toMatchObject({ kind: 'key' });
  expect(await world.core.identify(account.token)).toMatchObject({ kind: 'session' });
});

it('a session that has ended makes no API key, also in a process that has not noticed', async () => {
  const account = await taken();
  const caller = await callerOf(account.token);
  await world.db.session.deleteMany({ where: { userId: account.userId } });
  const made = caller.apiKeys.create({ name: 'late', scopes: ['assets:read'], expires_at: null });
  await expect(made).rejects.toMatchObject({ type: 'unauthorized' });
});

describe('an identity whose address at the provider is another one', () => {
  async function connect(browser: CookieBrowser, token: string, subject: string) {
    const { url } = (await browser.call('session.connectSignOn', { return_to: '/account' }, token)).data;
    const query = (await world.idp.signIn(url, subject)).search.slice(1);
    return browser.call('session.finishSignOn', { query }, token);
  }

  it('is connected by the password and a mail to the address of the account, in the same session', async () => {
    const account = await taken();
    const { subject } = addPerson(world);
    const { attacker: browser, token, email, userId } = account;
    expect((await connect(browser, token, subject)).data).toMatchObject({
      kind: 'password_required',
      email,
      can_claim: false,
    });
    expect((await browser.call('session.confirmSignOn', {}, token)).error).toMatchObject({ type: 'validation_error' });
    const wrong = await browser.call('session.confirmSignOn', { password: 'a guess' }, token);
    expect(wrong.error).toMatchObject({ type: 'validation_error' });
    const mailed = await browser.call('session.confirmSignOn', { password }, token);
    expect(mailed.data).toMatchObject({ kind: 'mailed', email });
    expect(await world.db.signOnIdentity.count({ where: { userId } })).toBe(0);
    const link = await tokenTo(email, 'confirm');
    const other = (await world.browser().call('session.signIn', { email, password })).data.token as string;
    const elsewhere = await world.browser().call('session.confirmAddress', { token: link }, other);
    expect(elsewhere.error).toMatchObject({ type: 'forbidden' });
    const confirmed = await browser.call('session.confirmAddress', { token: link }, token);
    expect(confirmed.data).toEqual({ is_connected: true });
    await expectMails(email, [connected]);
    expect((await world.signOn(subject)).data).toMatchObject({ kind: 'entered', user: { id: userId } });
  });
});

it('a person is mailed that single sign-on was connected in a session, and disconnected', async () => {
  const { email, subject } = await taken();
  await reset(email);
  const browser = world.browser();
  const { token } = (await browser.call('session.signIn', { email, password: ownPassword })).data;
  const { url } = (await browser.call('session.connectSignOn', { return_to: '/account' }, token)).data;
  const query = (await world.idp.signIn(url, subject)).search.slice(1);
  expect((await browser.call('session.finishSignOn', { query }, token)).data).toMatchObject({ kind: 'connected' });
  await browser.call('session.disconnectSignOn', undefined, token);
  await expectMails(email, [connected, 'Single sign-on was disconnected from your account.']);
});

it('the address is confirmed by the password and a link, and everything is kept', async () => {
  const { attacker: browser, token, email, key, userId } = await taken();
  await browser.call('session.requestAddressConfirmation', { password }, token);
  const link = await tokenTo(email, 'confirm');
  expect((await browser.call('session.confirmAddress', { token: link }, token)).data).toEqual({ is_connected: false });
  expect((await world.db.user.findUniqueOrThrow({ where: { id: userId } })).emailProvenAt).not.toBeNull();
  expect(await world.core.identify(key.token)).toMatchObject({ kind: 'key' });
});

/** Proves the address of an account, as its owner does, after the mails of before. */
async function proven(userId: number): Promise<void> {
  const waiting = () =>
    world.db.$queryRaw`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'send_credential_mail'`;
  await expect.poll(waiting).toEqual([]);
  await world.db.user.update({ where: { id: userId }, data: { emailProvenAt: new Date() } });
}

it('each change of a credential is mailed to the person', async () => {
  const { token, email, userId } = await taken();
  await proven(userId);
  const caller = await callerOf(token);
  await caller.apiKeys.create({ name: 'forth', scopes: ['assets:read'], expires_at: null });
  await caller.session.changePassword({ current_password: password, new_password: ownPassword });
  await reset(email);
  await expectMails(email, [
    'An API key was created with your account. It is named “forth”.',
    'The password of your account was changed.',
    'A new password was chosen with a link that was sent to you.',
  ]);
  expect(mailsWith(email, connected)).toBe(0);
});

it('an account gets ten mails about changes in 15 minutes', async () => {
  const { token, email, userId } = await taken();
  await proven(userId);
  await world.db.signInThrottle.update({ where: { key: `notice:${userId}` }, data: { failures: 9 } });
  const caller = await callerOf(token);
  const create = (name: string) => caller.apiKeys.create({ name, scopes: ['assets:read'], expires_at: null });
  await create('tenth');
  await create('eleventh');
  const waiting = () =>
    world.db.$queryRaw`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'send_credential_mail'`;
  await expect.poll(waiting).toEqual([]);
  expect(['tenth', 'eleventh'].map((name) => mailsWith(email, `It is named “${name}”.`))).toEqual([1, 0]);
});

it('an operator gives the account to its owner without email, or confirms that it is theirs', async () => {
  const account = await taken();
  const options = {
    settings: { ...readSettings({}), databaseUrl: world.databaseUrl, authSecret },
    log: createLog('silent'),
  };
  const { url, isProven } = await createResetLink(account.email, options);
  expect(isProven).toBe(false);
  const token = url.split('#')[1];
  await world.browser().call('session.resetPassword', { token, new_password: ownPassword });
  await expectRemoved(account);
  const own = await taken();
  expect(await confirmByOperator(own.email, options)).toBe(true);
  expect(await confirmByOperator(own.email, options)).toBe(false);
  expect(await world.core.identify(own.key.token)).toMatchObject({ kind: 'key' });
});

it('a verified domain makes members of people who have an account, but not of those who were removed', async () => {
  const { orgId, admin } = await world.addOrganization('Acme');
  const one = addPerson(world);
  const joined = await world.signOn(one.subject, { start: { invitation: await invite(world) } });
  const userId = joined.data.user.id as number;
  const domain = 'owners.example';
  await admin.emailDomains.add({ domain });
  await world.db.emailDomain.updateMany({ where: { domain }, data: { verifiedAt: new Date() } });
  world.idp.people.set(one.subject, { email: `ada@${domain}`, email_verified: true });
  expect((await world.signOn(one.subject)).data.organization).toMatchObject({ id: orgId, role: 'viewer' });
  await admin.members.remove({ user_id: userId });
  expect((await world.signOn(one.subject)).data.organization).toMatchObject({ id: world.orgId });
  const { token } = await admin.members.invite({ role: 'manager' });
  const back = await world.signOn(one.subject, { start: { invitation: token } });
  expect(back.data.organization).toMatchObject({ id: orgId, role: 'manager' });
});
