import { Prisma } from '../../../generated/prisma/client.js';

/**
 * Returns the lowest free `ASSET-NNNN` or `LOC-NNNN` of an organization (contract 2.1). The transaction that generates
 * one holds the lock of the series until its end.
 */
export function generatedKey(kind: 'asset' | 'location', orgId: number): Prisma.Sql {
  return Prisma.sql`mint_key(${orgId}::int, ${kind})`;
}
