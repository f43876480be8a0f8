import { createECDH, createHmac, createPrivateKey, type KeyObject } from 'node:crypto';
import type { Settings } from '../../kernel/settings.js';
import { parseAuthSecrets } from '../../people/auth/secrets.js';

/** A key pair by which push services recognize this service (RFC 8292). */
export type PushKey = {
  /** The name of the secret from which the pair is derived. */
  id: string;
  /** In base64url. */
  publicKey: string;
  privateKey: KeyObject;
};

/**
 * Returns the key pairs of this service, derived from the signing secrets: nothing is stored, and all cells have the same. New
 * subscriptions are made with the first.
 */
export function pushKeys(settings: Pick<Settings, 'authSecret'>): readonly [PushKey, ...PushKey[]] {
  const [first, ...others] = parseAuthSecrets(settings.authSecret ?? '');
  return [derived(first), ...others.map(derived)];
}

function derived({ kid, bytes }: { kid: string; bytes: Uint8Array }): PushKey {
  const d = createHmac('sha256', bytes).update('push').digest();
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(d);
  const point = pair.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', d: d.toString('base64url'), x: x ?? '', y: y ?? '' };
  return { id: kid, publicKey: point.toString('base64url'), privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) };
}
