import { createHmac } from 'node:crypto';
import { StartError } from '../../kernel/start-error.js';

const secretBytesMin = 32;

/** A signing secret with its name in the `kid` of tokens, which reveals nothing of it. */
export type AuthSecret = { kid: string; bytes: Uint8Array };

/**
 * Parses the secrets in `AUTH_SECRET`, separated by commas: the first signs, all verify. A secret is replaced by adding
 * the new one in front and removing the old one once the tokens it signed have expired.
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
