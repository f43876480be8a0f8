import { z } from 'zod';
import { recordChange, type Scope } from '../activity/record.js';
import type { Database } from '../../kernel/database/client.js';
import { refusal } from '../../kernel/errors.js';
import { sessionProcedure } from '../../trpc.js';
import { nameField } from '../../kernel/validation/resource-fields.js';

const input = z.strictObject({ name: nameField('create-string') });

export const renameOrganization = sessionProcedure('admin')
  .input(input)
  .mutation(async ({ ctx, input: { name } }) => {
    await rename(ctx.services.db, ctx, name);
    return { id: ctx.orgId, name };
  });

async function rename(db: Database, { orgId, author }: Scope, name: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const rows = await tx.$queryRaw<{ name: string }[]>`
      SELECT name FROM organizations WHERE id = ${orgId}::int FOR NO KEY UPDATE`;
    const [before] = rows;
    if (!before) throw refusal('not_found', { what: 'Organization' });
    if (before.name === name) return;
    await tx.$executeRaw`UPDATE organizations SET name = ${name} WHERE id = ${orgId}::int`;
    const change = { kind: 'organization', objectId: orgId, objectName: name, action: 'updated' } as const;
    await recordChange(tx, { orgId, author }, { ...change, before: { name: before.name }, after: { name } });
  });
}
