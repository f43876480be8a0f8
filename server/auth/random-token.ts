import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, safe in a cookie or an address. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a random token: its SHA-256, hexadecimal. Random input needs neither salt nor slowness. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
