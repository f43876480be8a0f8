import { randomBytes, randomInt } from 'node:crypto';
import { type Api, ApiError } from './api.js';
import { DemoError } from './demo-error.js';

export type Credentials = { email: string; password: string };

/** An administrator of the organization of the demo, with two API keys. */
export type Account = {
  organization: string;
  email: string;
  /** Defined only for an account that the demo created. */
  password: string | undefined;
  /** The token of the session, which expires after 15 minutes. */
  token: string;
  /** Writes assets and locations. */
  setUpKey: string;
  /** Reads everything. Its rate limit is separate, so that the set-up does not slow down reading the report. */
  readKey: string;
};

type SessionAnswer = { token: string; organization: { name: string; role: string } };

const forbidden = 403;

/**
 * Signs up with a new organization, or signs in with the credentials given.
 *
 * @throws DemoError that says what to do if neither is possible
 */
export async function openAccount(api: Api, given: Credentials | undefined, seed: number): Promise<Account> {
  const email = given?.email ?? `demo-${randomBytes(3).toString('hex')}@example.com`;
  const password = given?.password ?? randomPassword();
  const { token, organization } = given
    ? await signIn(api, { email, password })
    : await signUp(api, { organization_name: `Riverside ${seed}`, name: 'Demo', email, password });
  if (organization.role !== 'admin') {
    throw new DemoError(`${email} is no administrator of ${organization.name}: only an administrator can add readers.`);
  }
  return {
    organization: organization.name,
    email,
    password: given ? undefined : password,
    token,
    setUpKey: await createKey(api, token, ['assets:write', 'locations:write']),
    readKey: await createKey(api, token, ['assets:read', 'locations:read', 'tracking:read']),
  };
}

const passwordCharacters = 'abcdefghijkmnpqrstuvwxyz23456789';
const passwordLength = 12;

/** Returns a password that is easily typed: letters and digits that cannot be mistaken for each other. */
function randomPassword(): string {
  return Array.from({ length: passwordLength }, () => passwordCharacters[randomInt(passwordCharacters.length)]).join(
    '',
  );
}

/** Signs in once more and returns the token of the new session. Throws DemoError. */
export async function openSession(api: Api, credentials: Credentials): Promise<string> {
  return (await signIn(api, credentials)).token;
}

async function signIn(api: Api, credentials: Credentials): Promise<SessionAnswer> {
  try {
    return await api.procedure<SessionAnswer>('session.signIn', credentials);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new DemoError(`Signing in as ${credentials.email} failed: ${error.message}`, { cause: error });
  }
}

async function signUp(api: Api, input: Readonly<Record<string, string>>): Promise<SessionAnswer> {
  try {
    return await api.procedure<SessionAnswer>('session.signUp', input);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === forbidden)) throw error;
    throw new DemoError(
      `The service at ${api.url} already has users and does not allow anyone to sign up. Do one of these:

  npm run demo -- --email <address> --password <text>
      signs in as an administrator and creates the warehouse in that organization
  stop the service, and npm run demo again
      the demo then starts the service itself, on the same data, with an organization of its own
  DATA_DIR=.data-demo PORT=3100 MQTT_PORT=1884 npm run demo
      starts another service, with data of its own`,
      { cause: error },
    );
  }
}

async function createKey(api: Api, token: string, scopes: readonly string[]): Promise<string> {
  const key = await api.procedure<{ token: string }>(
    'apiKeys.create',
    { name: 'Demo', expires_at: null, scopes },
    token,
  );
  return key.token;
}
