import { type Actor, networksOf } from '../server/index.js';

/** Returns the key of the caller's budget: the API key's, the user's, else that of the client's address. */
export function budgetKeyOf(actor: Actor, clientAddress: string): string {
  if (actor.kind === 'key') return `key:${actor.keyId}`;
  return actor.kind === 'session' ? `user:${actor.userId}` : addressBudgetKey(clientAddress);
}

/** Returns the key of an address's budget; the addresses of an IPv6 /64 share one. */
export function addressBudgetKey(clientAddress: string): string {
  return `address:${networksOf(clientAddress)[0]}`;
}
