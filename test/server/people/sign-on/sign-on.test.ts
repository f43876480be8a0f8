import { beforeEach, describe, expect, it } from 'vitest';
import { addPerson, addSignedOn, expired, invite } from './people.js';
import { createSignOnWorld } from './world.js';
import { fileWorld } from '../../../support/shared.js';

const ada = { email: 'Ada@Acme.example', email_verified: true, name: 'Ada Lovelace' };

const world = fileWorld(createSignOnWorld);

beforeEach(() => {
  world.idp.people.clear();
  world.idp.answers.clear();
});

const person = (claims?: object) => addPerson(world, claims);
const invitation = (input?: Parameters<typeof invite>[1]) => invite(world, input);
const member = () => addSignedOn(world);

describe('a first sign-on', () => {
  it('makes an account and a membership for a person with an invitation, with a session like any other', async () => {
    const browser = world.browser();
    const { subject, email } = person();
    const token = await invitation({ role: 'manager' });
    const { data } = await world.signOn(subject, {
      browser,
      start: { invitation: token, return_to: '/assets?q=drill' },
    });
    expect(data).toEqual({
      kind: 'entered',
      token: expect.any(String),
      user: { id: expect.any(Number), name: 'Ada Lovelace', email },
      organization: { id: world.orgId, name: 'Acme', role: 'manager' },
      has_earlier_memberships: false,
      return_to: '/assets?q=drill',
    });
    expect(await world.identity.identify(data.token)).toMatchObject({ kind: 'session', role: 'manager' });
    expect(browser.cookieNames().toSorted()).toEqual(['whereabouts_device', 'whereabouts_refresh']);
    const renewed = await browser.call('session.refresh');
    expect(renewed.data.user).toMatchObject({ email });
    const [row] = await world.db.signOnIdentity.findMany({ where: { subject } });
    expect(row).toMatchObject({ issuer: world.idp.issuer, userId: data.user.id });
    // The link is used up.
    const other = await world.signOn(person().subject, { start: { invitation: token } });
    expect(other.error).toMatchObject({ type: 'not_found' });
  });

  it('takes the address in lower case', async () => {
    world.idp.people.set('ada', ada);
    const { data } = await world.signOn('ada', { start: { invitation: await invitation() } });
    expect(data.user).toMatchObject({ email: 'ada@acme.example' });
  });

  it('without an invitation makes nothing', async () => {
    const before = await world.people();
    const { subject, email } = person();
    const { error } = await world.signOn(subject);
    expect(error).toMatchObject({
      type: 'forbidden',
      detail: `Nobody has an account with the address ${email}. Ask an administrator of your organization for an invitation`,
    });
    expect(await world.people()).toBe(before);
  });

  it('with an invitation for another address makes nothing, and leaves the invitation', async () => {
    const before = await world.people();
    const email = `invited-${before}@acme.example`;
    const token = await invitation({ email });
    const { error } = await world.signOn(person().subject, { start: { invitation: token } });
    expect(error).toMatchObject({ type: 'validation_error', fields: [{ field: 'email' }] });
    expect(await world.people()).toBe(before);
    const { data } = await world.signOn(person({ email }).subject, { start: { invitation: token } });
    expect(data).toMatchObject({ kind: 'entered', user: { email } });
  });

  it.each([
    ['false', { email_verified: false }],
    ['a text that says no', { email_verified: 'false' }],
  ])('is rejected where the address is not verified: %s', async (_, claims) => {
    const before = await world.people();
    const { error } = await world.signOn(person(claims).subject, { start: { invitation: await invitation() } });
    const detail = 'Your email address is not verified at the identity provider. Verify it there, and try again';
    expect(error).toMatchObject({ type: 'forbidden', detail });
    expect(await world.people()).toBe(before);
  });

  it('is rejected with another reason where the provider does not say whether the address is verified', async () => {
    const { subject } = person({ email_verified: undefined });
    const { error } = await world.signOn(subject, { start: { invitation: await invitation() } });
    const detail =
      'The identity provider does not say whether your email address is verified. Contact your administrator';
    expect(error).toMatchObject({ type: 'forbidden', detail });
  });

  it('is rejected without an address', async () => {
    const { subject } = person({ email: undefined });
    const { error } = await world.signOn(subject, { start: { invitation: await invitation() } });
    const detail = 'The identity provider sent no email address for you. Contact your administrator';
    expect(error).toMatchObject({ type: 'forbidden', detail });
  });

  it('twice at once makes one account', async () => {
    const { subject, email } = person();
    const tokens = [await invitation(), await invitation()];
    const browsers = [world.browser(), world.browser()] as const;
    const queries = await Promise.all(
      browsers.map(async (browser, index) => {
        const { data } = await browser.call('session.startSignOn', { invitation: tokens[index] });
        return (await world.idp.signIn(data.url, subject)).search.slice(1);
      }),
    );
    const answers = await Promise.all(
      browsers.map((browser, index) => browser.call('session.finishSignOn', { query: queries[index] })),
    );
    for (const { data } of answers) expect(data).toMatchObject({ kind: 'entered', user: { email } });
    expect(await world.db.user.count({ where: { email } })).toBe(1);
    expect(await world.db.signOnIdentity.count({ where: { subject } })).toBe(1);
  });
});

describe('a later sign-on', () => {
  it('finds the account by issuer and subject, even if the provider sends another address', async () => {
    const { subject, userId, email } = await member();
    world.idp.people.set(subject, { email: 'renamed@acme.example', email_verified: false });
    const { data } = await world.signOn(subject);
    expect(data).toMatchObject({ kind: 'entered', user: { id: userId, email } });
  });

  it('joins with an invitation, and enters without using it where the person is a member', async () => {
    const { subject } = await member();
    const token = await invitation();
    expect((await world.signOn(subject, { start: { invitation: token } })).data).toMatchObject({ kind: 'entered' });
    expect(await world.admin.members.invitations()).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ role: 'manager' })]),
    });
    const { id: orgId } = await world.db.organization.create({ data: { name: 'Other' } });
    await world.db.invitation.updateMany({ where: { acceptedAt: null }, data: { orgId } });
    const joined = await world.signOn(subject, { start: { invitation: token } });
    expect(joined.data.organization).toMatchObject({ id: orgId, role: 'manager' });
  });

  it('is rejected once the person has been removed from all organizations', async () => {
    const { subject, userId } = await member();
    await world.admin.members.remove({ user_id: userId });
    const { error } = await world.signOn(subject);
    const detail = 'You are not a member of any organization. Ask for an invitation';
    expect(error).toMatchObject({ type: 'forbidden', detail });
  });

  it('of another person with the address of an account is rejected', async () => {
    const { email } = await member();
    const { error } = await world.signOn(person({ email }).subject);
    expect(error).toMatchObject({ type: 'forbidden', detail: expect.stringContaining('connected to another person') });
  });

  it('works with keys that the provider has rotated', async () => {
    const { subject } = await member();
    await world.idp.rotateKeys();
    expect((await world.signOn(subject)).data).toMatchObject({ kind: 'entered' });
  });
});

describe('an account with a password', () => {
  const password = 'difference engine';

  async function account() {
    const one = person();
    const browser = world.browser();
    const joined = await browser.call('session.acceptInvitation', {
      token: await invitation(),
      person: { name: 'Ada', email: one.email, password },
    });
    return { ...one, userId: joined.data.user.id as number };
  }

  it('is connected by a person who knows the password, and then needs none', async () => {
    const { subject, email, userId } = await account();
    const browser = world.browser();
    const asked = await world.signOn(subject, { browser, start: { return_to: '/readers' } });
    expect(asked.data).toEqual({ kind: 'password_required', email, can_claim: true, return_to: '/readers' });
    const wrong = await browser.call('session.confirmSignOn', { password: 'analytical engine' });
    expect(wrong.error).toMatchObject({ type: 'unauthorized' });
    expect(await world.db.signOnIdentity.count({ where: { userId } })).toBe(0);
    const { data } = await browser.call('session.confirmSignOn', { password });
    expect(data).toMatchObject({ user: { id: userId }, return_to: '/readers' });
    expect(browser.cookieNames()).not.toContain('whereabouts_sign_on');
    const means = await browser.call('session.confirmSignOn', { password });
    expect(means.error).toMatchObject({ type: 'forbidden', detail: expired });
    expect((await world.signOn(subject)).data).toMatchObject({ kind: 'entered', user: { id: userId } });
  });

  it('is not connected by the password of another one', async () => {
    const { subject } = await account();
    await account();
    const browser = world.browser();
    await world.signOn(subject, { browser });
    await world.db.user.updateMany({ where: { email: { startsWith: 'person' } }, data: { passwordHash: null } });
    const { error } = await browser.call('session.confirmSignOn', { password });
    expect(error).toMatchObject({ type: 'unauthorized' });
  });

  it('is connected from its own session, and disconnected again', async () => {
    const { subject, email, userId } = await account();
    const browser = world.browser();
    const { token } = (await browser.call('session.signIn', { email, password })).data;
    const { url } = (await browser.call('session.connectSignOn', { return_to: '/account' }, token)).data;
    const query = (await world.idp.signIn(url, subject)).search.slice(1);
    // Nobody has proven the address yet.
    const asked = await browser.call('session.finishSignOn', { query }, token);
    expect(asked.data).toMatchObject({ kind: 'password_required', can_claim: true, return_to: '/account' });
    expect((await browser.call('session.confirmSignOn', { password }, token)).data).toMatchObject({ kind: 'entered' });
    expect((await world.signOn(subject)).data).toMatchObject({ user: { id: userId } });
    await browser.call('session.disconnectSignOn', undefined, token);
    expect(await world.db.signOnIdentity.count({ where: { userId } })).toBe(0);
    const again = (await browser.call('session.connectSignOn', { return_to: '/account' }, token)).data;
    const search = (await world.idp.signIn(again.url, subject)).search.slice(1);
    const { data } = await browser.call('session.finishSignOn', { query: search }, token);
    expect(data).toEqual({ kind: 'connected', return_to: '/account' });
  });

  it('is not connected without its session', async () => {
    const { subject, email } = await account();
    const browser = world.browser();
    const { token } = (await browser.call('session.signIn', { email, password })).data;
    const { url } = (await browser.call('session.connectSignOn', {}, token)).data;
    const query = (await world.idp.signIn(url, subject)).search.slice(1);
    const { error } = await browser.call('session.finishSignOn', { query });
    expect(error).toMatchObject({ type: 'forbidden', detail: expired });
  });

  it('keeps its only way in', async () => {
    const { subject } = await member();
    const { token } = (await world.signOn(subject)).data;
    const { error } = await world.browser().call('session.disconnectSignOn', undefined, token);
    expect(error).toMatchObject({ type: 'conflict' });
    expect((await world.signOn(subject)).data).toMatchObject({ kind: 'entered' });
  });

  it('that has none cannot sign in with one', async () => {
    const { email } = await member();
    const { error } = await world.browser().call('session.signIn', { email, password: 'null' });
    expect(error).toMatchObject({ type: 'unauthorized' });
  });
});
