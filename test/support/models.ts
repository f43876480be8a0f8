import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../../generated/prisma/client.js';
import { type Database, openDatabase } from '../../server/kernel/database/client.js';

/** The database as the server has it, and Prisma's models of all tables, with which tests look and prepare. */
export type TestDb = Database & Omit<PrismaClient, keyof Database>;

/** Opens a pool that connects on first use. The caller has to call `$disconnect()`. */
export function openTestDb(url: string, poolSize = 10): TestDb {
  const { db, close } = openDatabase({ url, poolSize });
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url, max: poolSize }) });
  const own: Record<string | symbol, unknown> = {
    ...db,
    $disconnect: () => Promise.all([close(), prisma.$disconnect()]),
  };
  return new Proxy({} as TestDb, { get: (_, name) => own[name] ?? (Reflect.get(prisma, name) as unknown) });
}
