import type { ECDH as KeyPair } from 'node:crypto';
// @ts-expect-error -- the library has no types
import untyped from 'http_ece';

type Parameters = {
  version: 'aes128gcm';
  /** The public key of the receiver, in base64url. */
  dh?: string;
  privateKey: KeyPair;
  /** In base64url. */
  authSecret: string;
};

type Ece = {
  encrypt(content: Buffer, parameters: Parameters): Buffer;
  decrypt(content: Buffer, parameters: Parameters): Buffer;
};

/** Encrypted contents of HTTP (RFC 8188) with the keys of Web Push. */
export const ece = untyped as Ece;
