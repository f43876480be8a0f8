/** Who somebody is, as the provider has confirmed it. */
export type Proof = {
  issuer: string;
  subject: string;
  name: string;
  /** In lower case; undefined if the provider sends none, or one that is no address. */
  email: string | undefined;
  isEmailVerified: boolean;
};

const emailCharactersMax = 254;
const nameCharactersMax = 255;
const addressShape = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/**
 * Returns what the claims say of a person.
 *
 * @param options.trustsEmail whether an address counts as verified where `email_verified` is absent; `false` from the provider
 *   always counts
 */
export function proofOf(options: {
  issuer: string;
  subject: string;
  person: Readonly<Record<string, unknown>>;
  trustsEmail: boolean;
}): Proof {
  const { issuer, subject, person, trustsEmail } = options;
  const email = emailOf(person['email']);
  const name =
    nameOf(person['name']) ?? nameOf(person['preferred_username']) ?? email?.split('@', 1)[0] ?? 'New member';
  return { issuer, subject, name, email, isEmailVerified: isVerified(person['email_verified'], trustsEmail) };
}

/** Some providers send texts in place of booleans. */
function isVerified(claim: unknown, trustsEmail: boolean): boolean {
  return claim === undefined ? trustsEmail : claim === true || claim === 'true';
}

function emailOf(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const email = claim.trim().toLowerCase();
  return email.length <= emailCharactersMax && email.isWellFormed() && addressShape.test(email) ? email : undefined;
}

/** A name as the service stores names: without control characters, and without white space at its ends. */
function nameOf(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const plain = claim
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return Array.from(plain).slice(0, nameCharactersMax).join('').trim() || undefined;
}
