import type { Proof } from './proof.js';
import type { Request } from './provider.js';

/** The purpose of a sign-on, set when it begins. */
export type Purpose = {
  /** A path of the app. */
  returnTo: string;
  /** The token of an invitation to accept. */
  invitation?: string;
  /** The person who connects their account; absent for people who sign in. */
  userId?: number;
};

/** A sign-on that was begun. */
export type Pending = Request & { purpose: Purpose };

/**
 * A person confirmed by the provider, whose account asks for its password before it is connected. `email` is the address of the
 * account; `isOther` if the provider does not confirm that it is the person's.
 */
export type Proven = {
  proof: Pick<Proof, 'issuer' | 'subject' | 'name'> & { email: string };
  isOther: boolean;
  purpose: Purpose;
};

/** The sign-ons of a browser, which it keeps in a cookie that it cannot read. */
export type CookieContent = { pending: readonly Pending[]; proven?: Proven };
