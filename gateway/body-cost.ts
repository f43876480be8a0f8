import type { IncomingMessage } from 'node:http';

/** Each further 64 KiB of a body on `/trpc` count like a call, since reading them keeps the process as busy. */
const bytesPerRequest = 65_536;

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
