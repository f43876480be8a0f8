import { differingFacts, recordChange, type Scope } from '../../people/activity/record.js';
import type { Database } from '../../kernel/database/client.js';
import { sessionProcedure } from '../../trpc.js';
import { readerFacts } from './facts.js';
import { readerNotFound } from './not-found.js';
import { ensureAntennaQuota } from './quota.js';
import { changeReader, findReader, lockReader, replaceAntennas } from './queries.js';
import { type UpdateReaderInput, updateReaderInput } from './schemas.js';
import { mergedSettings, proveLocations } from './settings.js';
import { type ReaderRow, readerView } from './view.js';

/**
 * Changes the given settings of a reader; `antennas` replaces all of them. Open connections apply the changes within 2
 * s.
 */
export const updateReader = sessionProcedure('admin')
  .input(updateReaderInput)
  .mutation(async ({ ctx, input }) => readerView(await changeSettings(ctx.services.db, ctx, input)));

/**
 * Changes the given settings of a reader and records the change.
 *
 * @throws ContractError `not_found` if the reader does not exist; `validation_error` for a location that is not live;
 *   `conflict` for too many antennas
 */
export async function changeSettings(
  db: Database,
  { orgId, author }: Scope,
  { id, ...given }: UpdateReaderInput,
): Promise<ReaderRow> {
  return db.$transaction(async (tx) => {
    // The tree is locked before the row, in the same order as in ingestion.
    const current = await findReader(tx, orgId, id);
    if (!current) throw readerNotFound();
    await proveLocations(tx, orgId, given);
    await ensureAntennaQuota(tx, orgId, { readerId: id, given: given.antennas?.length ?? 0 });
    const locked = await lockReader(tx, orgId, id);
    if (!locked) throw readerNotFound();
    const { antennas, ...changes } = given;
    const settings = mergedSettings(locked, changes, locked.mqtt_username);
    await changeReader(tx, orgId, { readerId: id, settings });
    if (antennas) await replaceAntennas(tx, orgId, { readerId: id, antennas });
    const row = await findReader(tx, orgId, id);
    if (!row) throw readerNotFound();
    const [before = {}, after = {}] = await readerFacts(tx, orgId, [locked, row]);
    const differing = differingFacts(before, after);
    if (differing) {
      const change = { kind: 'reader', objectId: id, objectName: row.name, action: 'updated', ...differing } as const;
      await recordChange(tx, { orgId, author }, change);
    }
    return row;
  });
}
