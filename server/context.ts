import type { Actor } from './people/actor.js';
import type { Needs, ScopedActor } from './people/auth/authorize.js';
import type { Services } from './services.js';

/** The refresh token's cookie, which the gateway sets and reads: the server does not know HTTP. */
export type RefreshCookie = {
  read(): string | undefined;
  write(token: string, expiresAtMs: number): void;
  clear(): void;
};

/** The cookie that identifies a browser as a device that people signed in with before. */
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

/** The context of a procedure besides its input. */
export type Context = {
  services: Services;
  actor: Actor;
  /** The decision of the REST gateway that the actor may call a procedure, which it makes before it reads the body. */
  authorized?: { needs: Needs; actor: ScopedActor } | undefined;
  /** The validated path parameters; only the REST gateway passes them separately from the body. */
  path?: Readonly<Record<string, number>> | undefined;
  requestId: string;
  /**
   * Counts bytes that the answer holds in memory. Without this function the size of the answer is not limited.
   *
   * @throws ContractError `bad_request` if the answer becomes too large, and `service_unavailable` if the unsent answers
   *   of the organization take too much memory
   */
  reserve?: ((bytes: number) => void) | undefined;
  clientAddress: string;
  refreshCookie?: RefreshCookie | undefined;
  deviceCookie?: DeviceCookie | undefined;
  signOnCookie?: SignOnCookie | undefined;
  /** Delays the rejection of an unauthenticated caller that made too many attempts. */
  delayRejection?: (() => Promise<void>) | undefined;
};
