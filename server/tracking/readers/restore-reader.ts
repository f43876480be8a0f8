import { recordChange } from '../../people/activity/record.js';
import { ensureBelowQuota } from '../../kernel/database/quota.js';
import { sessionProcedure } from '../../trpc.js';
import { trashDays } from '../../kernel/database/trash-days.js';
import { readerFacts } from './facts.js';
import { readerNotFound } from './not-found.js';
import { antennaCount, findReader, restoreReaderRow } from './queries.js';
import { ensureAntennaQuota, readerQuota } from './quota.js';
import { readerIdInput } from './schemas.js';

/**
 * Restores a reader that was deleted in the last 30 days, with its user name, password, topics and antennas. A reader that never
 * sent anything can be restored for a day. 404 if there is no such deleted reader, 409 if the organization has too many readers.
 */
export const restoreReader = sessionProcedure('admin')
  .input(readerIdInput)
  .mutation(async ({ ctx, input: { id } }) => {
    const { orgId } = ctx;
    const { db, settings } = ctx.services;
    await db.$transaction(async (tx) => {
      await ensureBelowQuota(tx, orgId, readerQuota(settings.readersPerOrganization));
      await ensureAntennaQuota(tx, orgId, { given: await antennaCount(tx, orgId, id) });
      const isRestored = await restoreReaderRow(tx, orgId, { readerId: id, days: trashDays });
      const row = isRestored ? await findReader(tx, orgId, id) : undefined;
      if (!row) throw readerNotFound();
      const [after = {}] = await readerFacts(tx, orgId, [row]);
      await recordChange(tx, ctx, { kind: 'reader', objectId: id, objectName: row.name, action: 'restored', after });
    });
  });
