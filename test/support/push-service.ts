import { createECDH, createPublicKey, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';
import { ece } from '../../server/notifying/push/ece.js';

export type ReceivedPush = { device: string; notice: unknown; headers: Record<string, unknown> };

/** A device as a browser subscribes it. */
export type TestDevice = { name: string; endpoint: string; p256dh: string; auth: string };

/** A push service, which verifies and decrypts what it receives as it would arrive on the devices. */
export type PushService = AsyncDisposable & {
  readonly origin: string;
  readonly pushes: ReceivedPush[];
  /** The status of its answers by device; 201 by default. */
  readonly statuses: Map<string, number>;
  device(name: string): TestDevice;
};

export async function createPushService(): Promise<PushService> {
  const pushes: ReceivedPush[] = [];
  const statuses = new Map<string, number>();
  const secrets = new Map<string, { privateKey: ReturnType<typeof createECDH>; authSecret: string }>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      receive(request.url ?? '', request.headers, Buffer.concat(chunks)).then(
        (status) => response.writeHead(status).end(),
        () => response.writeHead(400).end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function receive(url: string, headers: Record<string, unknown>, body: Buffer): Promise<number> {
    const name = url.slice(1);
    const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(String(headers['authorization'])) ?? [];
    const point = Buffer.from(key, 'base64url');
    const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
    await jwtVerify(token, createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }), {
      audience: origin,
      requiredClaims: ['exp', 'sub'],
    });
    const secret = secrets.get(name);
    if (!secret) return 404;
    const status = statuses.get(name) ?? 201;
    const content = ece.decrypt(body, { version: 'aes128gcm', ...secret });
    pushes.push({ device: name, notice: JSON.parse(content.toString()), headers });
    return status;
  }

  return {
    origin,
    pushes,
    statuses,
    device(name) {
      const privateKey = createECDH('prime256v1');
      const p256dh = privateKey.generateKeys().toString('base64url');
      const auth = randomBytes(16).toString('base64url');
      secrets.set(name, { privateKey, authSecret: auth });
      return { name, endpoint: `${origin}/${name}`, p256dh, auth };
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
