import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Returns the HMAC-SHA-256 of several parts, in hexadecimal. The length of each part goes before it, so that different
 * parts never give the same signature.
 */
export function sign(key: string, parts: readonly Buffer[]): string {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(`${part.length}\n`).update(part);
  return hmac.digest('hex');
}

/** Returns whether a signature belongs to these parts. */
export function isSignedWith(key: string, parts: readonly Buffer[], signature: string): boolean {
  const [expected, found] = [sign(key, parts), signature].map((text) => Buffer.from(text, 'utf8'));
  return expected !== undefined && found?.length === expected.length && timingSafeEqual(found, expected);
}
