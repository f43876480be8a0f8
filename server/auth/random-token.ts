import { createHash, randomBytes, randomInt } from 'node:crypto';

/** 256 random bits, safe in a cookie or an address. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a random token: its SHA-256, hexadecimal. Random input needs neither salt nor slowness. */
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
