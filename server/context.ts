import type { Role, Scope } from './auth/scopes.js';
import type { Services } from './services.js';

/** Who asks. A missing row and another organisation's row look the same to every one of them. */
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

/** The refresh token's cookie, which the gateway sets and reads: the server does not know HTTP. */
export type RefreshCookie = {
  read(): string | undefined;
  write(token: string, expiresAtMs: number): void;
  clear(): void;
};

/** The cookie by which a browser is recognized as a device that people signed in with before. */
export type DeviceCookie = {
  read(): string | undefined;
  write(value: string): void;
};

/** The cookie of a browser whose single sign-on is under way. */
export type SignOnCookie = {
  read(): string | undefined;
  write(value: string, seconds: number): void;
  clear(): void;
};

/** What every procedure is given beside its input. */
export type Context = {
  services: Services;
  actor: Actor;
  /** The values of the path the caller used, already validated; only the REST gateway passes them apart from the body. */
  path?: Readonly<Record<string, number>> | undefined;
  requestId: string;
  clientAddress: string;
  refreshCookie?: RefreshCookie | undefined;
  deviceCookie?: DeviceCookie | undefined;
  signOnCookie?: SignOnCookie | undefined;
};
