import type { Role, Scope } from './auth/scopes.js';

/** The caller of a procedure. To every caller, another organization's row looks the same as a missing row. */
export type Actor =
  | { kind: 'key'; keyId: string; orgId: number | null; scopes: ReadonlySet<Scope> }
  | {
      kind: 'session';
      sessionId: string;
      userId: number;
      orgId: number;
      role: Role;
      scopes: ReadonlySet<Scope>;
      /** When the access token expires, in epoch milliseconds; the session may continue. */
      expiresAtMs: number;
    }
  | { kind: 'none' };
