import { Prisma } from '../../../generated/prisma/client.js';

/** The tables of assets and locations, and the columns by which tags refer to their rows. */
export const resourceTables = {
  asset: { table: Prisma.raw('assets'), tagColumn: Prisma.raw('asset_id') },
  location: { table: Prisma.raw('locations'), tagColumn: Prisma.raw('location_id') },
};
