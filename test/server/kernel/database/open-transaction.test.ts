import { expect, it } from 'vitest';
import { cancelTransaction, identifyTransaction } from '../../../../server/kernel/database/open-transaction.js';
import { openTestDb } from '../../../support/models.js';
import { createTestDatabase } from '../../../support/postgres.js';

it('another connection cancels the statement of a transaction, but not of a later one on its connection', async () => {
  await using database = await createTestDatabase();
  const [db, other] = [openTestDb(database.url, 1), openTestDb(database.url, 1)];
  const ended = await db.$transaction((tx) => identifyTransaction(tx));
  const sleep = db.$transaction(async (tx) => {
    const transaction = await identifyTransaction(tx);
    expect(transaction.processId).toBe(ended.processId);
    await cancelTransaction(other, ended);
    const sleeping = tx.$queryRaw`SELECT pg_sleep(60)::text`;
    await Promise.all([sleeping, cancelWhileSleeping(transaction)]);
  });
  await expect(sleep).rejects.toMatchObject({ code: '57014' });
  await Promise.all([db.$disconnect(), other.$disconnect()]);

  async function cancelWhileSleeping(transaction: typeof ended): Promise<void> {
    await expect
      .poll(() => other.$queryRaw`SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(60)%'`)
      .toHaveLength(1);
    await cancelTransaction(other, transaction);
  }
});
