import { createECDH } from 'node:crypto';
import { SignJWT } from 'jose';
import type { WebhookRequest } from '../webhooks/send.js';
import { ece } from './ece.js';
import type { PushKey } from './keys.js';
import type { Device } from './queries.js';

/** A notification as the service worker shows it. */
export type Notice = {
  title: string;
  body: string;
  /** The page that it opens. */
  path: string;
  /** A notification with the same tag is replaced. */
  tag: string;
};

/** How long a push service keeps a notification for a device that is off. */
export const keptSeconds = 86_400;
const tokenSeconds = 12 * 3600;

type Sender = { key: PushKey; baseUrl: string };

/** Returns the request that sends a notification to a device, encrypted only for this device (RFC 8030, 8291, 8292). */
export async function pushRequest(device: Device, notice: Notice, { key, baseUrl }: Sender): Promise<WebhookRequest> {
  const { endpoint, p256dh, auth } = device;
  const token = await new SignJWT({})
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(new URL(endpoint).origin)
    .setSubject(baseUrl)
    .setExpirationTime(`${tokenSeconds} seconds`)
    .sign(key.privateKey);
  const privateKey = createECDH('prime256v1');
  privateKey.generateKeys();
  const content = Buffer.from(JSON.stringify(notice));
  return {
    url: endpoint,
    headers: {
      authorization: `vapid t=${token}, k=${key.publicKey}`,
      ttl: String(keptSeconds),
      urgency: 'high',
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
    },
    body: ece.encrypt(content, { version: 'aes128gcm', dh: p256dh, privateKey, authSecret: auth }),
  };
}
