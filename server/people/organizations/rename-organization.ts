import { z } from 'zod';
import { recordChange } from '../activity/record.js';
import { refusal } from '../../kernel/errors.js';
import { sessionProcedure } from '../../trpc.js';
import { nameField } from '../../kernel/validation/resource-fields.js';

export const renameOrganization = sessionProcedure('admin')
  .input(z.strictObject({ name: nameField('create-string') }))
  .mutation(async ({ ctx, input: { name } }) => {
    const { orgId } = ctx;
    await ctx.services.db.$transaction(async (tx) => {
      const [before] = await tx.$queryRaw<{ name: string }[]>`
        SELECT name FROM organizations WHERE id = ${orgId}::int FOR NO KEY UPDATE`;
      if (!before) throw refusal('not_found', { what: 'Organization' });
      if (before.name === name) return;
      await tx.$executeRaw`UPDATE organizations SET name = ${name} WHERE id = ${orgId}::int`;
      const change = { kind: 'organization', objectId: orgId, objectName: name, action: 'updated' } as const;
      await recordChange(tx, ctx, { ...change, before: { name: before.name }, after: { name } });
    });
    return { id: orgId, name };
  });
