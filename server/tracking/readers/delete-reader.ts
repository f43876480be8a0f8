import { recordChange, type Scope } from '../../people/activity/record.js';
import type { Database } from '../../kernel/database/client.js';
import { sessionProcedure } from '../../trpc.js';
import { readerFacts } from './facts.js';
import { readerNotFound } from './not-found.js';
import { lockReader, retireReader } from './queries.js';
import { readerIdInput } from './schemas.js';

/** Deletes a reader: its connections end within 2 s and it can no longer log in, unless it is restored. Its events stay. */
export const deleteReader = sessionProcedure('admin')
  .input(readerIdInput)
  .mutation(async ({ ctx, input: { id } }) => removeReader(ctx.services.db, ctx, id));

/** Deletes a reader and records the change. Throws ContractError `not_found` if there is none. */
export async function removeReader(db: Database, { orgId, author }: Scope, id: number): Promise<void> {
  await db.$transaction(async (tx) => {
    const row = await lockReader(tx, orgId, id);
    if (!row || !(await retireReader(tx, orgId, id))) throw readerNotFound();
    const [before = {}] = await readerFacts(tx, orgId, [row]);
    const change = { kind: 'reader', objectId: id, objectName: row.name, action: 'deleted', before } as const;
    await recordChange(tx, { orgId, author }, change);
  });
}
