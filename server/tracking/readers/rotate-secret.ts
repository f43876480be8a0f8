import { recordChange } from '../../people/activity/record.js';
import { hashToken, randomPassword } from '../../people/auth/random-token.js';
import { sessionProcedure } from '../../trpc.js';
import { nextInstant } from '../../kernel/database/columns.js';
import { readerNotFound } from './not-found.js';
import { readerIdInput } from './schemas.js';

/**
 * Gives a reader another password, which is returned only here. Connections made with the old password end within 2 s.
 */
export const rotateSecret = sessionProcedure('admin')
  .input(readerIdInput)
  .mutation(async ({ ctx, input: { id } }) => {
    const password = randomPassword();
    await ctx.services.db.$transaction(async (tx) => {
      const [reader] = await tx.$queryRaw<{ name: string }[]>`
        UPDATE readers
           SET secret_hash = ${hashToken(password)}, updated_at = ${nextInstant('updated_at')}
         WHERE org_id = ${ctx.orgId} AND id = ${id} AND deleted_at IS NULL
        RETURNING name`;
      if (!reader) throw readerNotFound();
      await recordChange(tx, ctx, { kind: 'reader', objectId: id, objectName: reader.name, action: 'secret_rotated' });
    });
    return { mqtt_password: password };
  });
