import { Prisma } from '../../../generated/prisma/client.js';
import { breaksUnique } from './faults.js';

/**
 * Returns the lowest free `ASSET-NNNN` or `LOC-NNNN` of an organization (contract 2.1). The transaction holds the lock
 * of the key series until its end, and must run in `withGeneratedKeys`.
 */
export function generatedKey(kind: 'asset' | 'location', orgId: number): Prisma.Sql {
  return Prisma.sql`mint_key(${orgId}::int, ${kind})`;
}

/** Attempts at a create before it fails. */
const attemptsMax = 100;

/**
 * Runs a transaction that generates keys. Another writer can store the same key at the same moment, since a key that a
 * client chooses takes no lock. Then the transaction is repeated, and generates the next key.
 */
export async function withGeneratedKeys<Result>(create: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await create();
    } catch (error) {
      const indexes = ['assets_live_external_key', 'locations_live_external_key'];
      if (attempt === attemptsMax || !indexes.some((index) => breaksUnique(error, index))) throw error;
    }
  }
}
