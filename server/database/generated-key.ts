import { Prisma } from '../../generated/prisma/client.js';

/**
 * The lowest free `ASSET-NNNN` or `LOC-NNNN` of an organization (contract 2.1). Whoever mints one holds the series until the end
 * of the transaction.
 */
export function generatedKey(kind: 'asset' | 'location', orgId: number): Prisma.Sql {
  return Prisma.sql`mint_key(${orgId}::int, ${kind})`;
}
