import { createHash, randomBytes, randomInt } from 'node:crypto';

/** Returns 256 random bits, encoded safely for a cookie or an address. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the stored form of a random token: its SHA-256, hexadecimal. Random input needs neither salt nor a slow hash.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const passwordCharacters = `${letters}${letters.toLowerCase()}0123456789`;
/** 43 characters out of 62 hold 256 bits. */
const passwordLength = 43;

/** Returns a password of letters and digits, with 256 random bits: it needs no quoting in a shell, a file or an address. */
export function randomPassword(): string {
  return Array.from({ length: passwordLength }, () => passwordCharacters[randomInt(passwordCharacters.length)]).join(
    '',
  );
}
