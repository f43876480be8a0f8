import { Webhook } from 'standardwebhooks';

/**
 * Returns the `webhook-id` of an event: the same for all endpoints and attempts, so that receivers recognize
 * repetitions.
 */
export function messageId(eventKey: string): string {
  return `evt_${eventKey.replaceAll('-', '')}`;
}

export type SignedMessage = { id: string; atMs: number; body: string };

/**
 * Returns the headers that the Standard Webhooks specification defines. With several secrets there is a signature for
 * each, so that receivers with the old or the new secret accept the request.
 */
export function signedHeaders({ id, atMs, body }: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const at = new Date(atMs);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(atMs / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
