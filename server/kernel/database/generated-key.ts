import { Prisma } from '../../../generated/prisma/client.js';
import { breaksUnique } from './faults.js';

/**
 * Returns the lowest free `ASSET-NNNN` or `LOC-NNNN` of an organization (contract 2.1). The transaction that generates
 * one holds the lock of the series until its end, and runs in `withGeneratedKeys`.
 */
export function generatedKey(kind: 'asset' | 'location', orgId: number): Prisma.Sql {
  return Prisma.sql`mint_key(${orgId}::int, ${kind})`;
}

/** Repeats of a create before it fails. */
const attemptsMax = 100;

/**
 * Runs a transaction that generates keys. A key that is given to another row takes no lock, so it can be stored in the
 * moment in which it is generated; then the transaction is repeated, and generates the next one.
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
