import { recordChange } from '../../people/activity/record.js';
import { hashToken, randomPassword } from '../../people/auth/random-token.js';
import { sessionProcedure } from '../../trpc.js';
import { readerNotFound } from './not-found.js';
import { changeSecret } from './queries.js';
import { readerIdInput } from './schemas.js';

/** Gives a reader another password and returns it this once; connections made with the old one end within 2 s. */
export const rotateSecret = sessionProcedure('admin')
  .input(readerIdInput)
  .mutation(async ({ ctx, input: { id } }) => {
    const password = randomPassword();
    await ctx.services.db.$transaction(async (tx) => {
      const name = await changeSecret(tx, ctx.orgId, { readerId: id, secretHash: hashToken(password) });
      if (name === undefined) throw readerNotFound();
      await recordChange(tx, ctx, { kind: 'reader', objectId: id, objectName: name, action: 'secret_rotated' });
    });
    return { mqtt_password: password };
  });
