import { randomBytes } from 'node:crypto';
import { type Api, ApiError } from './api.js';
import { DemoError } from './demo-error.js';

/** Somebody who may do everything in an organisation, and two keys of it. */
export type Account = {
  organization: string;
  email: string;
  /** Only of an account that was made here. */
  password: string | undefined;
  /** Of the session, for 15 minutes. */
  token: string;
  /** Writes assets and locations. */
  setUpKey: string;
  /** Reads everything. A budget of its own keeps the set-up from slowing the looks at the report down. */
  readKey: string;
};

type SessionAnswer = { token: string; organization: { name: string; role: string } };

const forbidden = 403;

/**
 * Signs up with a new organisation, or signs in where an administrator is given.
 *
 * @throws DemoError that says what to do where neither is possible
 */
export async function openAccount(
  api: Api,
  given: { email: string; password: string } | undefined,
  seed: number,
): Promise<Account> {
  const email = given?.email ?? `demo-${randomBytes(3).toString('hex')}@example.com`;
  const password = given?.password ?? randomBytes(9).toString('base64url');
  const { token, organization } = given
    ? await signIn(api, { email, password })
    : await signUp(api, { organization_name: `Riverside ${seed}`, name: 'Demo', email, password });
  if (organization.role !== 'admin') {
    throw new DemoError(`${email} is no administrator of ${organization.name}: only one can register readers.`);
  }
  return {
    ...{ organization: organization.name, email, password: given ? undefined : password, token },
    setUpKey: await mintKey(api, token, ['assets:write', 'locations:write']),
    readKey: await mintKey(api, token, ['assets:read', 'locations:read', 'tracking:read']),
  };
}

async function signIn(api: Api, credentials: { email: string; password: string }): Promise<SessionAnswer> {
  try {
    return await api.procedure<SessionAnswer>('session.signIn', credentials);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new DemoError(`Signing in as ${credentials.email} failed: ${error.message}`, { cause: error });
  }
}

async function signUp(api: Api, wish: Readonly<Record<string, string>>): Promise<SessionAnswer> {
  try {
    return await api.procedure<SessionAnswer>('session.signUp', wish);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === forbidden)) throw error;
    throw new DemoError(
      `The service at ${api.url} already has people, and is closed for others. One of these helps:

  npm run demo -- --email <address> --password <text>
      as an administrator of an organisation, in which the warehouse is then made
  stop the service, and npm run demo again
      it then starts the service itself, on the same data, and makes an organisation of its own
  DATA_DIR=.data-demo PORT=3100 MQTT_PORT=1884 npm run demo
      starts another service, on data of its own`,
      { cause: error },
    );
  }
}

async function mintKey(api: Api, token: string, scopes: readonly string[]): Promise<string> {
  const key = await api.procedure<{ token: string }>(
    'apiKeys.create',
    { name: 'Demo', expires_at: null, scopes },
    token,
  );
  return key.token;
}
