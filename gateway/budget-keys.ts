import type { IncomingMessage } from 'node:http';
import { type Actor, networksOf } from '../server/index.js';

/** Each further 64 KiB of a body count like a request, since reading them keeps the process as busy. */
const bytesPerRequest = 65_536;

/** Returns the key of the caller's budget: the API key's, the user's, else that of the client's address. */
export function budgetKeyOf(actor: Actor, clientAddress: string): string {
  if (actor.kind === 'key') return `key:${actor.keyId}`;
  return actor.kind === 'session' ? `user:${actor.userId}` : addressBudgetKey(clientAddress);
}

/** Returns the key of an address's budget; the addresses of an IPv6 /64 share one. */
export function addressBudgetKey(clientAddress: string): string {
  return `address:${networksOf(clientAddress)[0]}`;
}

/** Returns what the body of a request costs of the budget, by its declared length; nothing if that is below 64 KiB. */
export function declaredBodyCost({ headers }: IncomingMessage, bytesMax: number): number {
  return bodyCost(Math.min(Number(headers['content-length'] ?? 0), bytesMax));
}

/** Returns what a body costs that has arrived without a declared length; nothing for any other. */
export function undeclaredBodyCost({ headers }: IncomingMessage, { length }: Buffer): number {
  return headers['content-length'] === undefined ? bodyCost(length) : 0;
}

function bodyCost(bytes: number): number {
  return Math.floor(bytes / bytesPerRequest);
}
