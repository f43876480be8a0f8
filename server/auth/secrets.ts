import { createHmac } from 'node:crypto';
import { StartError } from '../start-error.js';

const secretBytesMin = 32;

/** A signing secret with the name tokens carry in `kid`, which reveals nothing of it. */
export type AuthSecret = { kid: string; bytes: Uint8Array };

/**
 * The secrets in `AUTH_SECRET`, separated by commas: the first signs, all verify, so that a secret is replaced by putting
 * the new one in front and dropping the old one once the tokens it signed are gone.
 *
 * @throws StartError if one of them is shorter than 32 bytes
 */
export function parseAuthSecrets(text: string): readonly [AuthSecret, ...AuthSecret[]] {
  const [first, ...others] = text.split(',').map((part) => part.trim());
  return [toSecret(first ?? ''), ...others.map(toSecret)];
}

function toSecret(text: string): AuthSecret {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length < secretBytesMin) {
    throw new StartError(`AUTH_SECRET must hold secrets of at least ${secretBytesMin} bytes, separated by commas`);
  }
  return { kid: createHmac('sha256', bytes).update('kid').digest('hex').slice(0, 16), bytes };
}
