import { parseEmail } from '../session/email-address.js';

/** The identity of a person, as confirmed by the provider. */
export type Proof = {
  issuer: string;
  subject: string;
  name: string;
  /** In its normal form; undefined if the provider sends none, or an invalid one. */
  email: string | undefined;
  isEmailVerified: boolean;
  /** Whether the provider does not say if the address is verified, and the settings do not trust it. */
  lacksVerification?: boolean;
};

const nameCharactersMax = 255;

/** Returns the identity in the claims. */
export function proofOf(options: {
  issuer: string;
  subject: string;
  person: Readonly<Record<string, unknown>>;
  trustsEmail: boolean;
}): Proof {
  const { issuer, subject, person, trustsEmail } = options;
  const claim = person['email'];
  const email = typeof claim === 'string' ? parseEmail(claim) : undefined;
  const name =
    nameOf(person['name']) ?? nameOf(person['preferred_username']) ?? email?.split('@', 1)[0] ?? 'New member';
  const verification = person['email_verified'];
  return {
    issuer,
    subject,
    name,
    email,
    isEmailVerified: isVerified(verification, trustsEmail),
    lacksVerification: verification === undefined && !trustsEmail,
  };
}

/** Returns whether an address is verified. Some providers send texts instead of booleans. */
function isVerified(claim: unknown, trustsEmail: boolean): boolean {
  return claim === undefined ? trustsEmail : claim === true || claim === 'true';
}

/** Returns a name in its stored form: without control characters, and without surrounding white space. */
function nameOf(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const plain = claim
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return Array.from(plain).slice(0, nameCharactersMax).join('').trim() || undefined;
}
