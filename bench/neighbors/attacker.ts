import { serveOrders } from '../worker.js';
import { type AttackOrder, attack } from './attacks.js';

/** Runs the process that attacks, one attack after another. */
export function serveAttacker(): void {
  serveOrders((order: AttackOrder) => attack(order));
}
