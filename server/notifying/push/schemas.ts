import { z } from 'zod';
import { textField } from '../../kernel/validation/fields.js';

/** Devices of one person in an organization; if there are more, the oldest one is removed. */
export const devicesMax = 10;

const endpointField = textField({ min: 1, max: 1024 }, 'create-string');

/** A key in base64url: a point on P-256, and 16 bytes. */
const keyField = (bytes: number) => {
  const length = Math.ceil((bytes * 4) / 3);
  const pattern = /^[\w-]+$/;
  return textField({ min: length, max: length, pattern, words: 'a key in base64url' }, 'create-string');
};

/** A subscription as the browser provides it, and the public key with which it was made. */
export const subscribeInput = z.strictObject({
  endpoint: endpointField,
  p256dh: keyField(65),
  auth: keyField(16),
  public_key: keyField(65),
});

export type NewDevice = z.output<typeof subscribeInput>;

export const unsubscribeInput = z.strictObject({ endpoint: endpointField });
