import { beforeEach, describe, expect, it } from 'vitest';
import { addSignedOn, expired, noProof } from './people.js';
import { baseUrl, createSignOnWorld } from './world.js';
import { fileWorld } from '../../../support/shared.js';

const world = fileWorld(createSignOnWorld);

beforeEach(() => {
  world.idp.people.clear();
  world.idp.answers.clear();
});

const member = () => addSignedOn(world);

describe('an answer of the provider', () => {
  const begin = async (browser = world.browser(), start = {}) => {
    const { data } = await browser.call('session.startSignOn', start);
    return { browser, url: new URL(data.url as string) };
  };
  const finish = ({ browser }: Awaited<ReturnType<typeof begin>>, back: URL) =>
    browser.call('session.finishSignOn', { query: back.search.slice(1) });

  it('asks for a code with PKCE, state and nonce, and leads back to the app', async () => {
    const { url, browser } = await begin();
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `${baseUrl}/sign-on`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const cookie = browser.setCookies.at(-1) ?? '';
    expect(cookie).toMatch(/^whereabouts_sign_on=/);
    for (const part of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/trpc', 'Max-Age=600'])
      expect(cookie).toContain(part);
    for (const name of ['state', 'nonce']) expect(cookie).not.toContain(url.searchParams.get(name));
  });

  it('counts in the browser that asked, and with the state that it asked with', async () => {
    const { subject } = await member();
    const start = await begin();
    const back = await world.idp.signIn(start.url.href, subject);
    const elsewhere = await world.browser().call('session.finishSignOn', { query: back.search.slice(1) });
    expect(elsewhere.error).toMatchObject({ type: 'forbidden', detail: expired });
    const other = await begin();
    expect((await finish(other, back)).error).toMatchObject({ type: 'forbidden', detail: expired });
    const tampered = new URL(back);
    tampered.searchParams.set('state', 'x'.repeat(43));
    expect((await finish(start, tampered)).error).toMatchObject({ type: 'forbidden', detail: expired });
    expect((await finish(start, back)).data).toMatchObject({ kind: 'entered' });
  });

  it('counts once', async () => {
    const { subject } = await member();
    const start = await begin();
    const back = await world.idp.signIn(start.url.href, subject);
    expect((await finish(start, back)).data).toMatchObject({ kind: 'entered' });
    expect((await finish(start, back)).error).toMatchObject({ type: 'forbidden', detail: expired });
    const next = await begin(start.browser);
    back.searchParams.set('state', next.url.searchParams.get('state') ?? '');
    expect((await finish(next, back)).error).toMatchObject({ type: 'forbidden', detail: noProof });
  });

  it('with a code of another sign-on is rejected, as its verifier and nonce are others', async () => {
    const { subject } = await member();
    const victim = await begin();
    const back = await world.idp.signIn(victim.url.href, subject);
    const attacker = await begin();
    back.searchParams.set('state', attacker.url.searchParams.get('state') ?? '');
    expect((await finish(attacker, back)).error).toMatchObject({ type: 'forbidden', detail: noProof });
  });

  it('with another nonce is rejected', async () => {
    const { subject } = await member();
    const start = await begin();
    start.url.searchParams.set('nonce', 'n'.repeat(43));
    const back = await world.idp.signIn(start.url.href, subject);
    expect((await finish(start, back)).error).toMatchObject({ type: 'forbidden', detail: noProof });
  });

  it('with another issuer in the callback is rejected', async () => {
    const { subject } = await member();
    const start = await begin();
    const back = await world.idp.signIn(start.url.href, subject);
    expect(back.searchParams.get('iss')).toBe(world.idp.issuer);
    back.searchParams.set('iss', 'https://evil.example');
    expect((await finish(start, back)).error).toMatchObject({ type: 'forbidden', detail: noProof });
  });

  it('whose signature is by a key that the provider does not have is rejected', async () => {
    const { subject } = await member();
    const start = await begin();
    const back = await world.idp.signIn(start.url.href, subject);
    world.idp.answers.set('/jwks', () => ({ body: { keys: [] } }));
    expect((await finish(start, back)).error).toMatchObject({ type: 'forbidden', detail: noProof });
  });

  it('that the person canceled is reported as such', async () => {
    const start = await begin();
    const back = await world.idp.signIn(start.url.href, '');
    expect((await finish(start, back)).error).toMatchObject({
      type: 'forbidden',
      detail: expect.stringContaining('You canceled the sign-in'),
    });
  });

  it('belongs to its tab where two are open', async () => {
    const { subject } = await member();
    const browser = world.browser();
    const [first, second] = [
      await begin(browser, { return_to: '/assets' }),
      await begin(browser, { return_to: '/scan' }),
    ];
    for (const [start, return_to] of [
      [second, '/scan'],
      [first, '/assets'],
    ] as const) {
      const back = await world.idp.signIn(start.url.href, subject);
      expect((await finish(start, back)).data).toMatchObject({ kind: 'entered', return_to });
    }
  });

  it('fits into a cookie, however long the addresses to return to are', async () => {
    const { subject } = await member();
    const browser = world.browser();
    const return_to = `/assets?q=${'倉'.repeat(500)}`;
    for (let no = 0; no < 2; no += 1) await begin(browser, { return_to });
    const last = await begin(browser, { return_to });
    expect((browser.setCookies.at(-1) ?? '').split(';', 1)[0]?.length).toBeLessThan(4096);
    const back = await world.idp.signIn(last.url.href, subject);
    expect((await finish(last, back)).data).toMatchObject({ kind: 'entered', return_to });
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example', 'assets', ''])(
    'leads to no address elsewhere: %s',
    async (return_to) => {
      const { error } = await world.browser().call('session.startSignOn', { return_to });
      expect(error).toMatchObject({ type: 'validation_error', fields: [{ field: 'return_to' }] });
    },
  );
});
