import { expect, it } from 'vitest';
import { createProvider } from '../../../../server/people/sign-on/provider.js';
import { createIdentityProvider } from '../../../support/identity-provider.js';
import { baseUrl, createSignOnWorld } from './world.js';

const people = { ada: { email: 'ada@acme.example', email_verified: true, name: 'Ada' } };

it('a provider that is unavailable stops neither the start nor passwords, and is found when it is back', async () => {
  await using world = await createSignOnWorld({ people });
  const { token } = await world.admin.members.invite({ role: 'viewer' });
  await world.idp.goAway();
  const browser = world.browser();
  const refused = await browser.call('session.startSignOn');
  expect(refused.status).toBe(503);
  expect(refused.error).toMatchObject({
    type: 'service_unavailable',
    detail: /The identity provider cannot be reached/,
  });
  const person = { name: 'Ben', email: 'ben@acme.example', password: 'difference engine' };
  await browser.call('session.acceptInvitation', { token, person });
  const { email, password } = person;
  expect((await browser.call('session.signIn', { email, password })).data.user).toMatchObject({ email });
  await world.idp.comeBack();
  const { token: second } = await world.admin.members.invite({ role: 'viewer' });
  await expect
    .poll(() => browser.call('session.startSignOn', { invitation: second }).then(({ status }) => status))
    .toBe(200);
  expect((await world.signOn('ada', { start: { invitation: second } })).data).toMatchObject({ kind: 'entered' });
});

it('a provider that becomes unavailable between start and finish is distinguished from one that rejects', async () => {
  await using world = await createSignOnWorld({ people });
  const browser = world.browser();
  const { url } = (await browser.call('session.startSignOn')).data;
  const back = await world.idp.signIn(url, 'ada');
  world.idp.answers.set('/token', () => ({ status: 500, body: { error: 'server_error' } }));
  const { error } = await browser.call('session.finishSignOn', { query: back.search.slice(1) });
  expect(error).toMatchObject({ type: 'service_unavailable' });
});

it('the document of the provider is read once, and its keys at each sign-on', async () => {
  await using world = await createSignOnWorld({ people });
  const { token } = await world.admin.members.invite({ role: 'viewer' });
  await world.signOn('ada', { start: { invitation: token } });
  await world.signOn('ada');
  const count = (path: string) => world.idp.requests.filter((asked) => asked === path).length;
  expect(count('/.well-known/openid-configuration')).toBe(1);
  expect(count('/jwks')).toBe(2);
});

it('an issuer in the settings that lacks the last slash is named as the reason, with both issuers in the log', async () => {
  await using idp = await createIdentityProvider({ baseUrl });
  const path = '/.well-known/openid-configuration';
  idp.answers.set(path, () => ({
    body: { issuer: `${idp.issuer}/realm/`, authorization_endpoint: `${idp.issuer}/auth` },
  }));
  const lines: unknown[] = [];
  const provider = createProvider({
    settings: idp.settings,
    baseUrl,
    log: { warn: (...line: unknown[]) => lines.push(line) },
  });
  const reason = { type: 'conflict', message: expect.stringContaining('another issuer than the settings') as string };
  await expect(provider.begin()).rejects.toMatchObject(reason);
  // The next attempt does not ask the provider again, and gives the same reason.
  await expect(provider.begin()).rejects.toMatchObject(reason);
  expect(lines).toEqual([
    [{ OIDC_ISSUER: idp.issuer, issuer: `${idp.issuer}/realm/` }, 'the single sign-on provider names another issuer'],
  ]);
});

it('whether the address is verified is read from the user info if the ID token has the address alone', async () => {
  await using world = await createSignOnWorld({
    people: { ada: { email: 'ada@acme.example', name: 'Ada' } },
    emailInToken: true,
  });
  const { token } = await world.admin.members.invite({ role: 'viewer' });
  world.idp.answers.set('/me', () => ({ body: { sub: 'ada', email: 'ada@acme.example', email_verified: true } }));
  expect((await world.signOn('ada', { start: { invitation: token } })).data).toMatchObject({ kind: 'entered' });
});

it('signed user info is read, also of a provider that does not name its algorithms', async () => {
  await using world = await createSignOnWorld({ people, signsUserInfo: true });
  const { token } = await world.admin.members.invite({ role: 'viewer' });
  const path = '/.well-known/openid-configuration';
  const document = (await (await fetch(`${world.idp.issuer}${path}`)).json()) as Record<string, unknown>;
  const { userinfo_signing_alg_values_supported: named, ...rest } = document;
  expect(named).toContain('RS256');
  world.idp.answers.set(path, () => ({ body: rest }));
  expect((await world.signOn('ada', { start: { invitation: token } })).data).toMatchObject({ kind: 'entered' });
  expect(world.idp.requests).toContain('/me');
});

it('a document of another issuer is rejected', async () => {
  await using world = await createSignOnWorld({ people });
  const path = '/.well-known/openid-configuration';
  world.idp.answers.set(path, () => ({
    body: { issuer: 'https://evil.example', authorization_endpoint: 'https://evil.example/auth' },
  }));
  const { error } = await world.browser().call('session.startSignOn');
  expect(error).toMatchObject({ type: 'conflict' });
});

it.each([
  ['by default, in the header', {}, true],
  ['in the header', { clientAuthentication: 'client_secret_basic' }, true],
  ['in the body', { clientAuthentication: 'client_secret_post' }, false],
] as const)('the client secret is sent %s, whatever else the provider supports', async (_way, signOn, isInHeader) => {
  await using world = await createSignOnWorld({ people, signOn });
  const { token } = await world.admin.members.invite({ role: 'viewer' });
  expect((await world.signOn('ada', { start: { invitation: token } })).data).toMatchObject({ kind: 'entered' });
  expect(world.idp.headerCredentials).toEqual([isInHeader]);
});

it('a wrong client secret fails every sign-on', async () => {
  await using world = await createSignOnWorld({ people, signOn: { clientSecret: 'another secret' } });
  const { error } = await world.signOn('ada');
  expect(error).toMatchObject({ type: 'forbidden' });
});

it('an address in the ID token is enough, and one that the operator trusts needs no verification', async () => {
  await using world = await createSignOnWorld({
    people: {
      ada: { email: 'ada@acme.example', name: 'Ada' },
      eve: { email: 'eve@acme.example', email_verified: false },
    },
    emailInToken: true,
    signOn: { trustsEmail: true },
  });
  const invite = async () => ({ start: { invitation: (await world.admin.members.invite({ role: 'viewer' })).token } });
  expect((await world.signOn('ada', await invite())).data).toMatchObject({ kind: 'entered' });
  expect(world.idp.requests).not.toContain('/me');
  expect((await world.signOn('eve', await invite())).error).toMatchObject({ type: 'forbidden' });
});

it('without settings there is no single sign-on', async () => {
  await using world = await createSignOnWorld({ settings: { signOn: undefined } });
  expect(await world.admin.session.status()).toMatchObject({ sign_on: null });
  const { error } = await world.browser().call('session.startSignOn');
  expect(error).toMatchObject({ type: 'conflict' });
});

it('guesses without a sign-on of this browser are counted nowhere, and failures by network', async () => {
  await using world = await createSignOnWorld({ people });
  await world.browser().call('session.finishSignOn', { query: 'code=1&state=2' });
  expect(await world.db.signInThrottle.count()).toBe(0);
  await world.signOn('ada');
  const rows = await world.db.signInThrottle.findMany({ where: { key: { startsWith: 'address:' } } });
  expect(rows.map(({ failures }) => failures)).toEqual(rows.map(() => 1));
  await world.db.signInThrottle.updateMany({ data: { failures: 5000 } });
  expect((await world.signOn('ada')).error).toMatchObject({ type: 'rate_limited' });
});
