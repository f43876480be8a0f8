import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import {
  type AdapterFactory,
  type AdapterPayload,
  type ClientMetadata,
  type Configuration,
  Provider,
} from 'oidc-provider';
import type { Settings } from '../../server/kernel/settings.js';
import { freePort } from './program.js';

/** What the provider says of a person, by subject. */
export type Claims = { email?: string; email_verified?: boolean | string; name?: string };

/** A real OpenID Connect provider over HTTP, with the people of a test. */
export type IdentityProvider = AsyncDisposable & {
  readonly issuer: string;
  readonly settings: NonNullable<Settings['signOn']>;
  readonly people: Map<string, Claims>;
  /** Answers that replace the provider's own, by path. */
  readonly answers: Map<string, () => { status?: number; body: unknown } | Promise<{ status?: number; body: unknown }>>;
  /** Paths that were asked for, in order. */
  readonly requests: string[];
  /** Whether the client secret was in the header `Authorization`, of each request for tokens. */
  readonly headerCredentials: boolean[];
  /** Signs a person in, as their browser would, and returns the address that the provider sends them back to. */
  signIn(authorizationUrl: string, subject: string): Promise<URL>;
  /** Sends people back to another address from now on, for services whose address is known later. */
  sendBackTo(baseUrl: string): Promise<void>;
  /** Replaces the keys that tokens are signed with. */
  rotateKeys(): Promise<void>;
  /** Makes it unreachable, until it is back at the same address. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
};

export type IdentityProviderOptions = {
  /** Of the service, whose pages the provider sends people back to. */
  baseUrl: string;
  people?: Record<string, Claims>;
  /** Whether the address is in the ID token too, and not at the user info endpoint alone. */
  emailInToken?: boolean;
  /** Whether the answers of the user info endpoint are signed. */
  signsUserInfo?: boolean;
  /** `localhost` is another site than the service for browsers. */
  host?: '127.0.0.1' | 'localhost';
  settings?: Partial<NonNullable<Settings['signOn']>>;
};

const clientId = 'whereabouts';
const clientSecret = 'a secret that the provider knows';
const ttlSeconds = 600;

type SigningKey = Awaited<ReturnType<typeof exportJWK>>;

/** Of every provider of this process until it rotates its keys. Generating one takes as long as starting the service. */
let firstKey: Promise<SigningKey> | undefined;

async function generateKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), use: 'sig', alg: 'RS256' };
}

export async function createIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { baseUrl, people: known = {}, emailInToken = false, host = '127.0.0.1', settings = {} } = options;
  const { signsUserInfo = false } = options;
  const people = new Map(Object.entries(known));
  const answers: IdentityProvider['answers'] = new Map();
  const requests: string[] = [];
  const headerCredentials: boolean[] = [];
  const server = createServer((request, response) => void handle(request, response));
  const port = await freePort();
  await listen(port);
  const issuer = `http://${host}:${port}`;
  firstKey ??= generateKey();
  let provider = createProvider(baseUrl, await firstKey);

  function createProvider(redirectBase: string, key: SigningKey): Provider {
    const client: ClientMetadata = {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [`${redirectBase}/sign-on`],
      token_endpoint_auth_method: 'client_secret_basic',
      ...(signsUserInfo && { userinfo_signed_response_alg: 'RS256' }),
    };
    const configuration: Configuration = {
      clients: [client],
      jwks: { keys: [key] },
      cookies: { keys: ['a secret of the provider'] },
      conformIdTokenClaims: !emailInToken,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false }, jwtUserinfo: { enabled: signsUserInfo } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, subject) => ({
        accountId: subject,
        claims: () => ({ sub: subject, ...people.get(subject) }),
      }),
      // Everybody agrees to what the service asks for.
      async loadExistingGrant({ oidc: { client: asking, session, provider: own } }) {
        const grant = new own.Grant({ clientId: asking?.clientId ?? '', accountId: session?.accountId ?? '' });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
      adapter: createAdapters(),
      ttl: {
        Interaction: ttlSeconds,
        Grant: ttlSeconds,
        Session: ttlSeconds,
        AccessToken: ttlSeconds,
        IdToken: ttlSeconds,
      },
      renderError(context, out) {
        context.body = JSON.stringify(out);
      },
    };
    return new Provider(issuer, configuration);
  }

  /** Where people sign in: a page with a button for each of them. */
  async function answerInteraction(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      const buttons = [...people.keys()].map(
        (subject) => `<button name="subject" value="${subject}">${subject}</button>`,
      );
      const cancel = '<button name="subject" value="">Cancel</button>';
      response.setHeader('Content-Type', 'text/html');
      response.end(`<!doctype html><title>Provider</title><form method="post">${buttons.join('')}${cancel}</form>`);
      return;
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const accountId = new URLSearchParams(body).get('subject') ?? '';
    const result = accountId === '' ? { error: 'access_denied' } : { login: { accountId } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    requests.push(path);
    if (path === '/token') headerCredentials.push(request.headers.authorization !== undefined);
    const answer = answers.get(path);
    if (answer) {
      const { status = 200, body } = await answer();
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    } else if (path === '/favicon.ico') response.writeHead(204).end();
    else if (path.startsWith('/interaction/')) await answerInteraction(request, response);
    else await provider.callback()(request, response);
  }

  function listen(at: number): Promise<void> {
    return new Promise((resolve) => server.listen(at, '127.0.0.1', resolve));
  }

  async function goAway(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  return {
    issuer,
    settings: {
      issuer,
      clientId,
      clientSecret,
      name: 'Acme ID',
      clientAuthentication: 'client_secret_basic',
      trustsEmail: false,
      ...settings,
    },
    people,
    answers,
    requests,
    headerCredentials,
    async signIn(authorizationUrl, subject) {
      const jar = new Map<string, string>();
      let url = new URL(authorizationUrl);
      let form: string | undefined;
      while (url.href.startsWith(issuer)) {
        const answer = await fetch(url, {
          method: form === undefined ? 'GET' : 'POST',
          ...(form !== undefined && { body: form }),
          redirect: 'manual',
          headers: {
            Cookie: Array.from(jar, ([name, value]) => `${name}=${value}`).join('; '),
            ...(form !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
          },
        });
        for (const cookie of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
          jar.set(name, value);
        }
        const next = answer.headers.get('location');
        const text = await answer.text();
        if (next !== null) [url, form] = [new URL(next, url), undefined];
        else if (answer.ok && form === undefined) form = `subject=${encodeURIComponent(subject)}`;
        else throw new Error(`the provider answered ${answer.status}: ${text}`);
      }
      return url;
    },
    async sendBackTo(address) {
      provider = createProvider(address, await generateKey());
    },
    async rotateKeys() {
      provider = createProvider(baseUrl, await generateKey());
    },
    goAway,
    comeBack: () => listen(port),
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await goAway();
    },
  };
}

/** Keeps what the provider stores, for one test. */
function createAdapters(): AdapterFactory {
  return () => {
    const rows = new Map<string, AdapterPayload>();
    const findBy = (matches: (row: AdapterPayload) => boolean) => Promise.resolve([...rows.values()].find(matches));
    return {
      async upsert(id, payload) {
        rows.set(id, payload);
      },
      find: (id) => Promise.resolve(rows.get(id)),
      findByUid: (uid) => findBy((row) => row.uid === uid),
      findByUserCode: (code) => findBy((row) => row.userCode === code),
      async consume(id) {
        const row = rows.get(id);
        if (row) rows.set(id, { ...row, consumed: Math.floor(Date.now() / 1000) });
      },
      async destroy(id) {
        rows.delete(id);
      },
      async revokeByGrantId(grantId) {
        for (const [id, row] of rows) if (row.grantId === grantId) rows.delete(id);
      },
    };
  };
}
