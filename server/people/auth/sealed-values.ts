import { createHmac } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import type { AuthSecret } from './secrets.js';

const algorithm = 'dir';
const encryption = 'A256GCM';
const charactersMax = 4096;

/** Values that a client keeps and cannot read, change or make. */
export type SealedValues<Value> = {
  /** Returns a text that only this service can read, and that expires after `seconds`. */
  seal(value: Value, seconds: number): Promise<string>;
  /** Returns a sealed value; undefined for every text that this service did not seal, or that has expired. */
  open(text: string | undefined): Promise<Value | undefined>;
};

/**
 * Encrypts values with a key derived from the signing secret.
 *
 * @param options.secrets the first secret seals, all secrets open
 * @param options.purpose what the values are for; a value sealed for one purpose cannot be opened for another
 */
export function createSealedValues<Value>(options: {
  secrets: readonly [AuthSecret, ...AuthSecret[]];
  purpose: string;
}): SealedValues<Value> {
  const { secrets, purpose } = options;
  const keys = secrets.map(({ kid, bytes }) => ({
    kid,
    key: createHmac('sha256', bytes).update(`sealed ${purpose}`).digest(),
  }));
  const [{ kid, key }] = keys as [(typeof keys)[number]];

  function keyFor(header: { kid?: string }): Uint8Array {
    const known = keys.find((candidate) => candidate.kid === header.kid);
    if (!known) throw new errors.JWEInvalid('sealed with an unknown key');
    return known.key;
  }

  return {
    seal: (value, seconds) =>
      new EncryptJWT({ value })
        .setProtectedHeader({ alg: algorithm, enc: encryption, kid })
        .setExpirationTime(`${seconds} seconds`)
        .encrypt(key),
    async open(text) {
      if (text === undefined || text.length > charactersMax) return undefined;
      try {
        const { payload } = await jwtDecrypt(text, keyFor, {
          keyManagementAlgorithms: [algorithm],
          contentEncryptionAlgorithms: [encryption],
          requiredClaims: ['exp'],
        });
        return payload['value'] as Value;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
