import { expect } from 'vitest';
import { selectableScopes } from '../../server/people/auth/scopes.js';

/** Calls a mutation over HTTP, and returns its result. */
export type ProcedureCall = <Result>(procedure: string, input: unknown, token?: string) => Promise<Result>;

/** Returns a function that calls the procedures of the service at an address, and expects that they succeed. */
export function createProcedureCaller(url: string): ProcedureCall {
  return async <Result>(procedure: string, input: unknown, token?: string) => {
    const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const headers = { 'Content-Type': 'application/json', ...authorization };
    const response = await fetch(`${url}/trpc/${procedure}`, { method: 'POST', headers, body: JSON.stringify(input) });
    expect([procedure, response.status]).toEqual([procedure, 200]);
    return ((await response.json()) as { result: { data: Result } }).result.data;
  };
}

/** Creates the first organization of a service with an API key that has all scopes. */
export async function signUpWithKey(call: ProcedureCall): Promise<{ token: string; key: string }> {
  const account = { organization_name: 'Acme', name: 'Ada', email: 'ada@example.com', password: 'a long password' };
  const { token } = await call<{ token: string }>('session.signUp', account);
  const input = { name: 'test', scopes: selectableScopes, expires_at: null };
  const { token: key } = await call<{ token: string }>('apiKeys.create', input, token);
  return { token, key };
}
