import type { Role, Scope } from './auth/scopes.js';

/** Who asks. A missing row and another organization's row look the same to every one of them. */
export type Actor =
  | { kind: 'key'; keyId: string; orgId: number | null; scopes: ReadonlySet<Scope> }
  | {
      kind: 'session';
      sessionId: string;
      userId: number;
      orgId: number;
      role: Role;
      scopes: ReadonlySet<Scope>;
      /** When the access token ends, in epoch milliseconds; the session may go on. */
      expiresAtMs: number;
    }
  | { kind: 'none' };
