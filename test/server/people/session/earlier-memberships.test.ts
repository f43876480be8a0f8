import { expect, test } from 'vitest';
import { claimEmail } from '../../../../server/app/scheduled-emails/delivery-queries.js';
import { createCaller, refusalOf } from '../../../support/caller.js';
import { createMailServer } from '../../../support/mail-server.js';
import { createMember } from '../../../support/members.js';
import { fileWorld } from '../../../support/shared.js';
import { addPerson } from '../sign-on/people.js';
import { createSignOnWorld } from '../sign-on/world.js';

const smtp = fileWorld(createMailServer);
const world = fileWorld(() =>
  createSignOnWorld({
    settings: { signUp: 'open', mail: { smtpUrl: smtp.url, from: 'Whereabouts <alerts@example.com>' } },
  }),
);

const [strangersPassword, ownPassword] = ['a password of the stranger', 'correct horse battery'];
let organizationsMade = 0;

/** An account that a stranger made with the address of a person, with an organization that a friend of theirs administers. */
async function createStrangersAccount({ hasFriend = true }: { hasFriend?: boolean } = {}) {
  const one = addPerson(world);
  organizationsMade += 1;
  const organizationName = `Strangers ${organizationsMade}`;
  const { data } = await world.browser().call('session.signUp', {
    organization_name: organizationName,
    name: 'Mallory',
    email: one.email,
    password: strangersPassword,
  });
  const { organization, token, user } = data as { organization: { id: number }; token: string; user: { id: number } };
  const friend = hasFriend ? await createMember(world.db, organization.id, { role: 'admin', name: 'Eve' }) : undefined;
  return { ...one, token, organizationName, orgId: organization.id, userId: user.id, friend };
}

type StrangersAccount = Awaited<ReturnType<typeof createStrangersAccount>>;

/** Each returns the answer that opens the person's first session. */
const proofs = {
  'a link to choose a password': async ({ email }: StrangersAccount) => {
    const browser = world.browser();
    await browser.call('session.requestPasswordReset', { email });
    const linkOf = () =>
      smtp.mails
        .filter(({ to }) => to.includes(email))
        .map(({ bodies }) => /reset-password#([\w-]+)/.exec(bodies.text)?.[1])
        .at(-1);
    await expect.poll(linkOf).toBeDefined();
    await browser.call('session.resetPassword', { token: linkOf(), new_password: ownPassword });
    return browser.call('session.signIn', { email, password: ownPassword });
  },
  'single sign-on': async ({ subject }: StrangersAccount) => {
    const browser = world.browser();
    await world.signOn(subject, { browser });
    return browser.call('session.confirmSignOn', {});
  },
  'a mailed invitation': async ({ email }: StrangersAccount) => {
    await world.admin.members.invite({ role: 'viewer', email });
    const mail = smtp.mails.findLast(({ to, bodies }) => to.includes(email) && bodies.text.includes('/join#'));
    const token = /\/join#([\w-]+)/.exec(mail?.bodies.text ?? '')?.[1];
    const person = { name: 'Ada', email, password: ownPassword };
    return world.browser().call('session.acceptInvitation', { token, person });
  },
};

async function callerOf(token: string) {
  const actor = await world.core.identify(token);
  const { services } = world.core.contextFor({ actor, requestId: 'test', clientAddress: '192.0.2.1' });
  return createCaller(services, actor);
}

const findMembership = ({ orgId, userId }: Pick<StrangersAccount, 'orgId' | 'userId'>) =>
  world.db.membership.findUnique({ where: { orgId_userId: { orgId, userId } } });

test.each(Object.entries(proofs))('who proves an address by %s is asked what to keep of it', async (_, prove) => {
  const account = await createStrangersAccount();
  const { data } = await prove(account);
  expect(data).toMatchObject({ has_earlier_memberships: true });
  expect((await (await callerOf(data.token)).session.earlierMemberships()).data).toEqual([
    {
      organization: { id: account.orgId, name: account.organizationName },
      role: 'admin',
      joined_at: expect.stringMatching(/Z$/),
      is_creator: true,
      other_member_count: 1,
      other_administrators: [{ name: 'Eve', email: account.friend?.email }],
    },
  ]);
});

test('who proves an address and gives the password of the account is asked nothing', async () => {
  const { subject } = await createStrangersAccount();
  const browser = world.browser();
  await world.signOn(subject, { browser });
  const { data } = await browser.call('session.confirmSignOn', { password: strangersPassword });
  expect(data).toMatchObject({ kind: 'entered', has_earlier_memberships: false });
  expect(await (await callerOf(data.token)).session.earlierMemberships()).toEqual({ data: [] });
});

test('an organization that is kept is like any other, and its emails wait no longer', async () => {
  const account = await createStrangersAccount();
  const stranger = await callerOf(account.token);
  const { id } = await stranger.scheduledEmails.create({
    frequency: 'daily',
    hour: 7,
    time_zone: 'Europe/Berlin',
    format: 'csv',
    report: { kind: 'unseen' },
  });
  const caller = await callerOf((await proofs['single sign-on'](account)).data.token);
  await world.db.$executeRaw`UPDATE scheduled_emails SET due_at = now() - interval '1 hour' WHERE id = ${id}`;
  expect(await claimEmail(world.db, id)).toBeUndefined();
  const { session } = await caller.session.chooseMemberships({
    choices: [{ organization_id: account.orgId, keeps: true }],
  });
  expect(session).toMatchObject({ organization: { id: account.orgId, role: 'admin' }, has_earlier_memberships: false });
  expect(await caller.session.earlierMemberships()).toEqual({ data: [] });
  expect(await claimEmail(world.db, id)).toMatchObject({ email: account.email });
});

test('who leaves an organization is no member of it, and the session goes on in another one', async () => {
  const account = await createStrangersAccount();
  const { data } = await proofs['a mailed invitation'](account);
  const invited = await callerOf(data.token);
  const { token } = await invited.session.switchOrganization({ organization_id: account.orgId });
  const there = await callerOf(token);
  const { session } = await there.session.chooseMemberships({
    choices: [{ organization_id: account.orgId, keeps: false }],
  });
  expect(session).toMatchObject({ organization: { id: world.orgId, role: 'viewer' }, has_earlier_memberships: false });
  expect(await findMembership(account)).toBeNull();
  expect(await (await callerOf(session?.token ?? '')).session.me()).toMatchObject({
    organization: { id: world.orgId },
  });
  expect(await refusalOf(world.core.identify(token))).toMatchObject({ type: 'unauthorized' });
  const [entry] = await world.db.$queryRaw<unknown[]>`
    SELECT actor, object_id FROM activity_log WHERE org_id = ${account.orgId} AND kind = 'member' AND action = 'deleted'`;
  expect(entry).toEqual({ actor: `user:${account.userId}`, object_id: String(account.userId) });
});

test('who leaves the only organization has no account, and can make one with the address', async () => {
  const account = await createStrangersAccount({ hasFriend: false });
  const { data } = await proofs['single sign-on'](account);
  const caller = await callerOf(data.token);
  expect(
    await caller.session.chooseMemberships({ choices: [{ organization_id: account.orgId, keeps: false }] }),
  ).toEqual({
    session: null,
  });
  expect(await refusalOf(world.core.identify(data.token))).toMatchObject({ type: 'unauthorized' });
  const fresh = { organization_name: 'My own', name: 'Ada', email: account.email, password: ownPassword };
  const { data: own } = await world.browser().call('session.signUp', fresh);
  expect(own).toMatchObject({ organization: { name: 'My own' }, has_earlier_memberships: false });
});

test('the only administrator of other members cannot leave them', async () => {
  const account = await createStrangersAccount({ hasFriend: false });
  await createMember(world.db, account.orgId, { role: 'viewer' });
  const caller = await callerOf((await proofs['single sign-on'](account)).data.token);
  const choices = [{ organization_id: account.orgId, keeps: false }];
  expect(await refusalOf(caller.session.chooseMemberships({ choices }))).toMatchObject({ type: 'conflict' });
  expect(await findMembership(account)).toMatchObject({ role: 'admin', precedesProof: true });
});

test('an organization that the person joined after the proof cannot be left in this way', async () => {
  const account = await createStrangersAccount();
  const caller = await callerOf((await proofs['a mailed invitation'](account)).data.token);
  const choices = [{ organization_id: world.orgId, keeps: false }];
  expect(await refusalOf(caller.session.chooseMemberships({ choices }))).toMatchObject({ type: 'not_found' });
  expect(await findMembership({ ...account, orgId: world.orgId })).toMatchObject({ precedesProof: false });
});
